import { useLayoutEffect } from "react";

/** A larger difference is a keyboard, not a browser's bar. */
const MIN_KEYBOARD_PX = 150;

/**
 * Fit the screen to the visible area, so that only the list scrolls and the message field stands
 * above a phone's keyboard.
 *
 * Browsers lay the page out behind the keyboard; only the visual viewport has the visible size.
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
  if (view === null || window.innerHeight - view.height * view.scale < MIN_KEYBOARD_PX) {
    root.dataset["filled"] = "chat";
    root.style.removeProperty("--visible-height");
    return;
  }
  root.dataset["filled"] = "keyboard";
  root.style.setProperty("--visible-height", `${view.height}px`);
  window.scrollTo(0, 0);
}
