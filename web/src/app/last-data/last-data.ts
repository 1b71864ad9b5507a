import type { QueryClient } from "@tanstack/react-query";
import type { Keeper } from "@/app/last-data/keeper";

/** After the first screen has had the network for itself. */
const LATER_MS = 4000;

interface Opening {
  userId: string;
  /** Null until it is read. */
  keeper: Keeper | null;
  isRead: Promise<Keeper | null>;
}

let opening: Opening | null = null;

/** Begin to read what this phone keeps of a member, while the screen's script is on its way. */
function open(userId: string): Opening {
  if (opening?.userId !== userId) {
    const isRead = import("@/app/last-data/keeper")
      .then(({ openKeeper }) => openKeeper(userId))
      .catch(() => null);
    const next: Opening = { userId, keeper: null, isRead };
    void isRead.then((keeper) => {
      next.keeper = keeper;
    });
    opening = next;
  }
  return opening;
}

/**
 * Whether the worker serves this page: where it does not, the network has brought the page and
 * brings the data too, and the first visit's bytes go to what is drawn.
 */
function isServed(): boolean {
  return Boolean(navigator.serviceWorker?.controller);
}

/** Put what is already read into a new client, so that the first drawing has it. */
export function withLastData(client: QueryClient, userId: string): QueryClient {
  if (isServed()) {
    open(userId).keeper?.fill(client);
  }
  return client;
}

/** Put what is kept into the client as soon as it is read, and keep what comes; returns the end. */
export function keepLastData(client: QueryClient, userId: string): () => void {
  let stop: (() => void) | null = null;
  let isOver = false;
  const begin = () =>
    void open(userId).isRead.then((keeper) => {
      if (!isOver && keeper !== null) {
        keeper.fill(client);
        stop = keeper.follow(client);
      }
    });
  const timer = setTimeout(begin, isServed() ? 0 : LATER_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop?.();
    opening = null;
  };
}
