/**
 * The dialogs that are open, in order of opening.
 *
 * A modal dialog makes everything outside of it inert, so toasts have to be drawn inside the top one.
 */
let open: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLDialogElement[]): void {
  open = next;
  for (const listener of listeners) {
    listener();
  }
}

export function dialogOpened(dialog: HTMLDialogElement): () => void {
  change([...open, dialog]);
  return () => change(open.filter((other) => other !== dialog));
}

export function topDialog(): HTMLDialogElement | null {
  return open.at(-1) ?? null;
}

export function subscribeToDialogs(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
