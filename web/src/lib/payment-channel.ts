import { openSocket } from "@/lib/socket";

type ChannelEvent = "connect" | "verify_wallet_transaction" | "room_moved";
type Listener = (content: unknown) => void;

const listeners: Record<ChannelEvent, Set<Listener>> = {
  connect: new Set(),
  verify_wallet_transaction: new Set(),
  room_moved: new Set(),
};

/** Whose settled payments came while no screen was there to hear them; the server tells once. */
let waiting: { userId: string; settled: unknown[] } = { userId: "", settled: [] };

/** Hold the member's `/payment` connection until the returned function is called. */
export function holdPaymentChannel(userId: string, token: string): () => void {
  if (waiting.userId !== userId) {
    waiting = { userId, settled: [] };
  }
  return openSocket("/payment", { token, userId }, (socket) => {
    for (const event of Object.keys(listeners) as ChannelEvent[]) {
      socket.on(event, (content: unknown) => tell(event, content));
    }
  });
}

/** Listen to an event of the connection, whoever holds it, until the returned function is called. */
export function listenToPaymentChannel(event: ChannelEvent, listener: Listener): () => void {
  listeners[event].add(listener);
  return () => listeners[event].delete(listener);
}

/** Hand over what came for this member while nobody listened; once. */
export function takeWaitingPayments(userId: string): unknown[] {
  return waiting.userId === userId ? waiting.settled.splice(0) : [];
}

function tell(event: ChannelEvent, content: unknown): void {
  if (event === "verify_wallet_transaction" && listeners[event].size === 0) {
    waiting.settled.push(content);
  }
  for (const listener of listeners[event]) {
    listener(content);
  }
}
