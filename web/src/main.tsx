import "@/styles/first.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app/app";
import { startFonts } from "@/lib/fonts";
import { followTheme } from "@/lib/theme";

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
