import { useSyncExternalStore } from "react";

/** How many screens are on their way; the bar at the top shows while there is one. */
let opening = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  opening += by;
  for (const listener of listeners) {
    listener();
  }
}

/** Count a screen as opening until `loaded` ends, whichever way. */
export function screenOpens(loaded: Promise<unknown>): void {
  // A screen begins to open while it is drawn, when no other component may change.
  queueMicrotask(() => change(1));
  const done = () => change(-1);
  loaded.then(done, done);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a screen is on its way. */
export function useOpeningScreen(): boolean {
  return useSyncExternalStore(subscribe, () => opening > 0);
}
