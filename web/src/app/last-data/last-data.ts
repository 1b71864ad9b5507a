import type { QueryClient } from "@tanstack/react-query";
import type { Keeper } from "@/app/last-data/keeper";

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

/** Put what is already read into a new client, so that the first drawing has it. */
export function withLastData(client: QueryClient, userId: string): QueryClient {
  open(userId).keeper?.fill(client);
  return client;
}

/** Put what is kept into the client as soon as it is read, and keep what comes; returns the end. */
export function keepLastData(client: QueryClient, userId: string): () => void {
  let stop: (() => void) | null = null;
  let isOver = false;
  void open(userId).isRead.then((keeper) => {
    if (!isOver && keeper !== null) {
      keeper.fill(client);
      stop = keeper.follow(client);
    }
  });
  return () => {
    isOver = true;
    stop?.();
    opening = null;
  };
}
