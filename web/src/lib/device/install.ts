import { useSyncExternalStore } from "react";

/** Chromium's event while the app can be installed; usable once. */
interface InstallPrompt extends Event {
  prompt: () => Promise<unknown>;
}

let offer: InstallPrompt | null = null;
const listeners = new Set<() => void>();

/** Store the browser's event, which may fire before any screen is mounted, for our own buttons. */
export function followInstallability(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    change(event as InstallPrompt);
  });
  window.addEventListener("appinstalled", () => change(null));
}

/** Show the browser's install prompt; null if it cannot, or the app is installed. */
export function useInstall(): (() => void) | null {
  return useSyncExternalStore(subscribe, () => offer) && ask;
}

function ask(): void {
  void offer?.prompt();
  change(null);
}

function change(to: InstallPrompt | null): void {
  offer = to;
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
