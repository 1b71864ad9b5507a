import "@/styles/first.css";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/app";
import { followLostStyles } from "@/app/lost-styles";
import { preloadScreen } from "@/app/screens";
import { startFonts } from "@/lib/device/fonts";
import { followInstallability } from "@/lib/device/install";
import { reportUncaughtErrors } from "@/lib/device/report-error";
import { deleteOtherLastData } from "@/lib/session/last-data";
import { claimTab, session, takeSignOutMessage } from "@/lib/session/session";
import { followTheme } from "@/lib/ui/theme";
import { showToast } from "@/lib/ui/toasts";

reportUncaughtErrors();
// In a separate task: a slow phone responds between parsing the script and running it.
setTimeout(start);

function start(): void {
  followTheme();
  const lastWord = takeSignOutMessage();
  claimTab();
  if (lastWord !== null) {
    showToast("info", lastWord);
  }
  startFonts();
  followLostStyles();
  followInstallability();
  void deleteOtherLastData(() => session.read()?.id ?? null);

  void drawWhenReady();
}

/**
 * Render the first screen; until its scripts are loaded the page's own splash stays.
 *
 * Rendered without them React would render the same splash, and keep it for at least 300 ms:
 * https://github.com/react/react/issues/31819
 */
async function drawWhenReady(): Promise<void> {
  const root = document.getElementById("root");
  if (root === null) {
    return;
  }
  await preloadScreen(location.pathname, session.read() !== null);
  const page = createRoot(root);
  // In slices: a slow phone stays responsive while its first screen renders.
  startTransition(() =>
    page.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}
