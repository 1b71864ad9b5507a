import { useSyncExternalStore } from "react";

/** How long a sign-in waits for pending removals; slower ones continue in the background. */
const TIMEOUT_MS = 2000;

let pending = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  pending += by;
  for (const listener of listeners) {
    listener();
  }
}

/** Wait until a member's data is removed, with any result, but no longer than two seconds. */
export async function waitForCleanup(...removals: Promise<unknown>[]): Promise<void> {
  change(1);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS);
  });
  await Promise.race([Promise.allSettled(removals), timeout]);
  clearTimeout(timer);
  change(-1);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a removal on this phone is in progress and awaited. */
export function useIsCleaningUp(): boolean {
  return useSyncExternalStore(subscribe, () => pending > 0);
}
