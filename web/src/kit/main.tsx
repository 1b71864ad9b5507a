import "@/styles/first.css";
import "@/styles/shell-and-screens.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Components } from "@/kit/components";
import { Kit } from "@/kit/kit";
import { followTheme } from "@/lib/ui/theme";

followTheme();

const isInFrame = new URLSearchParams(window.location.search).has("parts");
const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(<StrictMode>{isInFrame ? <Components /> : <Kit />}</StrictMode>);
}
