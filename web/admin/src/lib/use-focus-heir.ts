import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * What a button needs so that the focus is not lost with it, once what it does takes it away.
 *
 * The focus goes to its row, or to the one that has come to the row's place; else to the panel it
 * was in; else to the page's content. They take it themselves, so that no key that is pressed again
 * does something to another row.
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

/** Who may take the focus, asked once the page has changed. */
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
