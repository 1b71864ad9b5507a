import { useSyncExternalStore } from "react";

/** A screen that loads sooner opens without a bar. */
const SHOW_DELAY_MS = 150;

/** The number of slow screens; the bar at the top shows while there is one. */
let opening = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  opening += by;
  for (const listener of listeners) {
    listener();
  }
}

/** Count a screen as opening, from 150 ms on, until `loaded` settles. */
export function screenOpens(loaded: Promise<unknown>): void {
  let isCounted = false;
  const timer = setTimeout(() => {
    isCounted = true;
    change(1);
  }, SHOW_DELAY_MS);
  const done = () => {
    clearTimeout(timer);
    if (isCounted) {
      change(-1);
    }
  };
  loaded.then(done, done);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a screen has been loading for longer than a moment. */
export function useOpeningScreen(): boolean {
  return useSyncExternalStore(subscribe, () => opening > 0);
}
