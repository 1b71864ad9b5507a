import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Props for a button that may disappear after its action, so that the focus is not lost.
 *
 * The focus moves to the button's row, or to the row that took its place, else to the panel, else
 * to the page's content. The target takes the focus itself, so that another key press does not act
 * on a different row.
 */
export function useFocusHeir(): RefObject<HTMLButtonElement | null> {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    return () => {
      if (button !== null && document.activeElement === button) {
        const heirOf = candidatesOf(button);
        queueMicrotask(() => passFocus(heirOf));
      }
    };
  }, []);
  return ref;
}

/** The candidates for the focus, read after the page has changed. */
function candidatesOf(button: HTMLElement): () => (HTMLElement | null | undefined)[] {
  const row = button.closest("tr");
  const rows = row?.parentElement;
  const place = row === null ? 0 : [...(rows?.children ?? [])].indexOf(row);
  const panel = button.closest<HTMLElement>("section");
  return () => {
    const there = [...(rows?.children ?? [])] as HTMLElement[];
    return [row, there[Math.min(place, there.length - 1)], panel];
  };
}

function passFocus(candidates: () => (HTMLElement | null | undefined)[]): void {
  if (document.activeElement !== document.body) {
    return;
  }
  const heir = candidates().find((one) => one?.isConnected) ?? document.getElementById("content");
  if (heir !== null && heir !== undefined) {
    heir.tabIndex = -1;
    heir.focus({ preventScroll: true });
  }
}
