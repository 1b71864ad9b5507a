import "@/styles/first.css";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/app";
import { startFonts } from "@/lib/fonts";
import { followInstallability } from "@/lib/install";
import { forgetLastDataOfOthers } from "@/lib/last-data";
import { reportUncaughtErrors } from "@/lib/report-error";
import { claimTab, session, takeLastWord } from "@/lib/session";
import { followTheme } from "@/lib/theme";
import { showToast } from "@/lib/toasts";

reportUncaughtErrors();
followTheme();
const lastWord = takeLastWord();
claimTab();
if (lastWord !== null) {
  showToast("info", lastWord);
}
startFonts();
followInstallability();
void forgetLastDataOfOthers(() => session.read()?.id ?? null);

const root = document.getElementById("root");
if (root !== null) {
  const page = createRoot(root);
  // In slices: a slow phone stays answerable while its first screen is drawn.
  startTransition(() =>
    page.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}
