import { useSyncExternalStore } from "react";

/** A worker that does not take over within this time never will. */
const TIMEOUT_MS = 3000;

let isReady = false;
const listeners = new Set<() => void>();

/** Announce that a newer version of the app is on this phone; it is not activated yet. */
export function announceNewVersion(): void {
  isReady = true;
  for (const listener of listeners) {
    listener();
  }
}

/** Whether a newer version waits to be opened. */
export function useNewVersion(): boolean {
  return useSyncExternalStore(subscribe, () => isReady);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reload the page with the newest version on this phone. */
export async function openNewVersion(): Promise<void> {
  const { serviceWorker } = navigator;
  const waiting = (await serviceWorker?.getRegistration())?.waiting;
  if (waiting) {
    waiting.postMessage("update");
    await new Promise((taken) => {
      serviceWorker.addEventListener("controllerchange", taken, { once: true });
      setTimeout(taken, TIMEOUT_MS);
    });
  }
  window.location.reload();
}
