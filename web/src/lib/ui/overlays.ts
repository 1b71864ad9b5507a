/**
 * The overlay host: the open dialogs, drawers and frames, in order of opening.
 *
 * A modal dialog makes everything outside of it inert. Toasts are therefore rendered inside the top
 * one, and a third-party frame can be used only while all of them are suspended. Back closes the top
 * overlay: `ScreenHistory` keeps a history entry for each of them.
 */
interface Overlay {
  /** Null for an overlay that leaves the rest of the page usable. */
  dialog: HTMLDialogElement | null;
  /** Back was pressed while this overlay was on top: close it, or ask first. */
  onBack: () => void;
}

let open: readonly Overlay[] = [];
let suspensions = 0;
let focusAfterwards: Element | null = null;
const listeners = new Set<() => void>();

function announce(): void {
  for (const listener of listeners) {
    listener();
  }
}

/** Add an overlay that is no dialog, such as a drawer; the returned function removes it. */
export function openOverlay(onBack: () => void): () => void {
  return add({ dialog: null, onBack }, "top");
}

/** Hold Back below all overlays: `onBack` is called when the screen would be left. */
export function holdScreen(onBack: () => void): () => void {
  return add({ dialog: null, onBack }, "bottom");
}

function add(overlay: Overlay, place: "top" | "bottom"): () => void {
  open = place === "top" ? [...open, overlay] : [overlay, ...open];
  announce();
  return () => {
    open = open.filter((other) => other !== overlay);
    announce();
  };
}

/** Show `dialog` over all others; the returned function closes it and restores the focus. */
export function openDialog(dialog: HTMLDialogElement, onBack: () => void): () => void {
  const opener = document.activeElement;
  if (suspensions === 0) {
    dialog.showModal();
  }
  const remove = add({ dialog, onBack }, "top");
  return () => {
    remove();
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
    for (const dialog of openDialogs().reverse()) {
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
  for (const dialog of openDialogs()) {
    dialog.showModal();
  }
  announce();
  returnFocus(focusAfterwards);
  focusAfterwards = null;
}

function openDialogs(): HTMLDialogElement[] {
  return open.flatMap(({ dialog }) => dialog ?? []);
}

/** The overlays that Back can close: suspended dialogs are not among them. */
function visible(): Overlay[] {
  return open.filter(({ dialog }) => dialog === null || suspensions === 0);
}

/** The number of overlays that Back can close. */
export function overlayCount(): number {
  return visible().length;
}

/** Back was pressed: let the top overlay close. */
export function pressBack(): void {
  visible().at(-1)?.onBack();
}

/** The dialog that contains the toasts; null if that is the page. */
export function topDialog(): HTMLDialogElement | null {
  return suspensions > 0 ? null : (openDialogs().at(-1) ?? null);
}

export function subscribeToOverlays(listener: () => void): () => void {
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
