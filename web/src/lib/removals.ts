import { useSyncExternalStore } from "react";

/** How long a sign-in waits for pending removals; slower ones continue in the background. */
const TIMEOUT_MS = 2000;

let underWay = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  underWay += by;
  for (const listener of listeners) {
    listener();
  }
}

/** Wait until a member's data is removed, with any result, but no longer than two seconds. */
export async function whenRemoved(...removals: Promise<unknown>[]): Promise<void> {
  change(1);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS);
  });
  await Promise.race([Promise.allSettled(removals), patience]);
  clearTimeout(timer);
  change(-1);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a removal on this phone is in progress and awaited. */
export function useIsRemoving(): boolean {
  return useSyncExternalStore(subscribe, () => underWay > 0);
}
