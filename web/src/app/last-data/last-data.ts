import type { QueryClient } from "@tanstack/react-query";

/** After the first screen has had the network to itself. */
const LATER_MS = 4000;

/**
 * Put a member's stored data into their client once it is read, and store new answers; returns a
 * function that stops.
 *
 * On a page served by the worker it is read at once. Elsewhere the network has delivered the page
 * and delivers the data too: the first visit's bandwidth goes to the screen.
 */
export function storeLastData(client: QueryClient, userId: string): () => void {
  let stop: (() => void) | null = null;
  let isOver = false;
  const begin = async () => {
    const { openLastDataStore } = await import("@/app/last-data/keeper");
    const store = await openLastDataStore(userId);
    if (!isOver) {
      store.fill(client);
      stop = store.follow(client);
    }
  };
  const beginQuietly = () => void begin().catch(() => undefined);
  const isServed = Boolean(navigator.serviceWorker?.controller);
  const timer = setTimeout(beginQuietly, isServed ? 0 : LATER_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop?.();
  };
}
