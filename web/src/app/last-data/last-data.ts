import type { QueryClient } from "@tanstack/react-query";

/** After the first screen has had the network for itself. */
const LATER_MS = 4000;

/**
 * Put what this phone keeps of a member into their client as soon as it is read, and keep what
 * comes; returns the end.
 *
 * On a page that the worker serves it is read at once. Elsewhere the network has brought the page
 * and brings the data too: the first visit's bytes go to what is drawn.
 */
export function keepLastData(client: QueryClient, userId: string): () => void {
  let stop: (() => void) | null = null;
  let isOver = false;
  const begin = async () => {
    const { openKeeper } = await import("@/app/last-data/keeper");
    const keeper = await openKeeper(userId);
    if (!isOver) {
      keeper.fill(client);
      stop = keeper.follow(client);
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
