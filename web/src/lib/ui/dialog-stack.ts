/**
 * The open modal dialogs, in order of opening.
 *
 * A modal dialog makes everything outside of it inert. Toasts are therefore rendered inside the top
 * one, and a third-party frame can be used only while all of them are suspended.
 */
let open: readonly HTMLDialogElement[] = [];
let suspensions = 0;
let focusAfterwards: Element | null = null;
const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) {
    listener();
  }
}

/** Show `dialog` over all others; the returned function closes it and restores the focus. */
export function openDialog(dialog: HTMLDialogElement): () => void {
  const opener = document.activeElement;
  if (suspensions === 0) {
    dialog.showModal();
  }
  open = [...open, dialog];
  announce();
  return () => {
    open = open.filter((other) => other !== dialog);
    announce();
    dialog.close();
    returnFocus(opener);
  };
}

/**
 * Close every dialog, so that the rest of the page is no longer inert.
 *
 * Nothing in them is unmounted, and no close event is handled. The returned function shows them
 * again in order, with the focus where it was; it is idempotent.
 */
export function suspendDialogs(): () => void {
  if (suspensions === 0) {
    focusAfterwards = document.activeElement;
    for (const dialog of [...open].reverse()) {
      dialog.close();
    }
  }
  suspensions += 1;
  announce();
  let isOver = false;
  return () => {
    if (!isOver) {
      isOver = true;
      suspensions -= 1;
      resumeDialogs();
    }
  };
}

function resumeDialogs(): void {
  if (suspensions > 0) {
    return;
  }
  for (const dialog of open) {
    dialog.showModal();
  }
  announce();
  returnFocus(focusAfterwards);
  focusAfterwards = null;
}

/** The dialog that contains the toasts; null if that is the page. */
export function topDialog(): HTMLDialogElement | null {
  return suspensions > 0 ? null : (open.at(-1) ?? null);
}

export function subscribeToDialogs(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Restore the focus; if the element is gone or inactive, focus the page's content. */
function returnFocus(element: Element | null): void {
  if (suspensions > 0) {
    focusAfterwards = element;
    return;
  }
  const canTakeIt =
    element instanceof HTMLElement && element.isConnected && !element.matches(":disabled, body");
  const target = canTakeIt ? element : document.getElementById("content");
  target?.focus({ preventScroll: true });
}
