import { useSyncExternalStore } from "react";

/** How long a sign-in waits for what is being removed; what takes longer goes on behind it. */
const TIMEOUT_MS = 2000;

let underWay = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  underWay += by;
  for (const listener of listeners) {
    listener();
  }
}

/** Wait for what is being removed of a member, however it ends, but no longer than two seconds. */
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

/** Whether something of a member is being removed from this phone, and waited for. */
export function useIsRemoving(): boolean {
  return useSyncExternalStore(subscribe, () => underWay > 0);
}
