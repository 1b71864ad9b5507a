import "@/styles/first.css";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/app";
import { followLostStyles } from "@/app/lost-styles";
import { preloadScreen } from "@/app/screens";
import { startFonts } from "@/lib/fonts";
import { followInstallability } from "@/lib/install";
import { forgetLastDataOfOthers } from "@/lib/last-data";
import { reportUncaughtErrors } from "@/lib/report-error";
import { claimTab, session, takeLastWord } from "@/lib/session";
import { followTheme } from "@/lib/theme";
import { showToast } from "@/lib/toasts";

reportUncaughtErrors();
// In a task of its own: a slow phone answers between reading the script and what it starts.
setTimeout(start);

function start(): void {
  followTheme();
  const lastWord = takeLastWord();
  claimTab();
  if (lastWord !== null) {
    showToast("info", lastWord);
  }
  startFonts();
  followLostStyles();
  followInstallability();
  void forgetLastDataOfOthers(() => session.read()?.id ?? null);

  void drawWhenReady();
}

/**
 * Draw the first screen; until its scripts are there the page's own splash stands.
 *
 * Drawn without them React would put the same splash there, and keep it for at least 300 ms:
 * https://github.com/react/react/issues/31819
 */
async function drawWhenReady(): Promise<void> {
  const root = document.getElementById("root");
  if (root === null) {
    return;
  }
  await preloadScreen(location.pathname, session.read() !== null);
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
