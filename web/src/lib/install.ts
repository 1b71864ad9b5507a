import { useSyncExternalStore } from "react";

/** What Chromium's browsers hand out while the app can be installed; usable once. */
interface InstallPrompt extends Event {
  prompt: () => Promise<unknown>;
}

let offer: InstallPrompt | null = null;
const listeners = new Set<() => void>();

/** Keep the browser's offer, which may come before any screen is there, for our own buttons. */
export function followInstallability(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    change(event as InstallPrompt);
  });
  window.addEventListener("appinstalled", () => change(null));
}

/** Let the browser ask whether to install the app; null where it cannot, or has it already. */
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
