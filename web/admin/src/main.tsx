import "~/styles/admin.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startFonts } from "@/lib/device/fonts";
import { reportUncaughtErrors } from "@/lib/device/report-error";
import { followTheme } from "@/lib/ui/theme";
import { App } from "~/app/app";

reportUncaughtErrors();
followTheme();
startFonts();

const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
