/**
 * The modal dialogs that are open, in order of opening.
 *
 * A modal dialog makes everything outside of it inert. Toasts are therefore drawn inside the top
 * one, and a frame that is not ours can be used only while all of them are suspended.
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

/** Show `dialog` over all others; the returned function closes it and gives the focus back. */
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
 * Take every dialog off the screen, and with it what makes the rest of the page inert.
 *
 * Nothing of them is unmounted and nobody is told that they close. The returned function shows
 * them again in their order, with the focus where it was; calling it twice is safe.
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

/** The dialog in which toasts can be seen and reached; null when that is the page. */
export function topDialog(): HTMLDialogElement | null {
  return suspensions > 0 ? null : (open.at(-1) ?? null);
}

export function subscribeToDialogs(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Give the focus back; an element that is gone or inactive now leaves it to the page's content. */
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
