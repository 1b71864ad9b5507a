import { useLayoutEffect } from "react";

/** What is hidden below is a keyboard, not a browser's bar. */
const LEAST_KEYBOARD_PX = 150;

/**
 * Let the screen fill exactly what is visible, so that only the list scrolls and the field for
 * typing stands above a phone's keyboard.
 *
 * Browsers lay the page out behind the keyboard; only the visual viewport says what can be seen.
 */
export function useFilledScreen(): void {
  // Before the first paint: the list would jump to its height otherwise.
  useLayoutEffect(() => {
    const root = document.documentElement;
    const view = window.visualViewport ?? null;
    const fill = () => fillVisiblePart(root, view);
    fill();
    view?.addEventListener("resize", fill);
    return () => {
      view?.removeEventListener("resize", fill);
      delete root.dataset["filled"];
      root.style.removeProperty("--visible-height");
    };
  }, []);
}

function fillVisiblePart(root: HTMLElement, view: VisualViewport | null): void {
  if (view === null || window.innerHeight - view.height * view.scale < LEAST_KEYBOARD_PX) {
    root.dataset["filled"] = "chat";
    root.style.removeProperty("--visible-height");
    return;
  }
  root.dataset["filled"] = "keyboard";
  root.style.setProperty("--visible-height", `${view.height}px`);
  window.scrollTo(0, 0);
}
