import "@/styles/first.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/app";
import { startFonts } from "@/lib/fonts";
import { reportUncaughtErrors } from "@/lib/report-error";
import { followTheme } from "@/lib/theme";

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
