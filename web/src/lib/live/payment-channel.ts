import { ReconnectingSocket } from "@/lib/live/reconnecting-socket";
import type { Acknowledgement } from "@/lib/live/socket-events";

/** A restarting server disconnects; this many retries in a row. */
const RETRIES = 5;
const EVENTS = [
  "verify_wallet_transaction",
  "room_moved",
  "notification",
  "fixture_update",
] as const;

type ChannelEvent = "connect" | (typeof EVENTS)[number];
type Listener = (content: unknown) => void;

const listeners: Record<ChannelEvent, Set<Listener>> = {
  connect: new Set(),
  verify_wallet_transaction: new Set(),
  room_moved: new Set(),
  notification: new Set(),
  fixture_update: new Set(),
};

/** The current connection, if any. */
let connection: ReconnectingSocket | null = null;

/** Members whose settled payments came while no screen listened; the server reports each once. */
let missed: { userId: string; settled: unknown[] } = { userId: "", settled: [] };

/**
 * Hold the member's `/payment` connection until the returned function is called.
 *
 * `refused` is called if the server refuses the member: usually their session has ended.
 */
export function holdPaymentChannel(userId: string, token: string, refused: () => void): () => void {
  if (missed.userId !== userId) {
    missed = { userId, settled: [] };
  }
  const line = new ReconnectingSocket({
    namespace: "/payment",
    handshake: { token, userId },
    retries: RETRIES,
    connected: () => dispatch("connect", null),
    refused,
    listen: (socket) => {
      for (const event of EVENTS) {
        socket.on(event, (content: unknown) => dispatch(event, content));
      }
    },
  });
  connection = line;
  line.connect();
  return () => {
    line.close();
    if (connection === line) {
      connection = null;
    }
  };
}

/** Send `content` if connected; `then` gets the response, if one comes. */
export function sendOverPaymentChannel(
  event: string,
  content: object,
  then: (answer: Acknowledgement) => void,
): void {
  connection?.send(event, content, (answer) => {
    if (answer !== null) {
      then(answer);
    }
  });
}

/** Listen to an event of the connection, by any holder, until the returned function is called. */
export function listenToPaymentChannel(event: ChannelEvent, listener: Listener): () => void {
  listeners[event].add(listener);
  return () => listeners[event].delete(listener);
}

/** Replay a missed payment of this member, once. */
export function takeMissedPayments(userId: string): unknown[] {
  return missed.userId === userId ? missed.settled.splice(0) : [];
}

function dispatch(event: ChannelEvent, content: unknown): void {
  if (event === "verify_wallet_transaction" && listeners[event].size === 0) {
    missed.settled.push(content);
  }
  for (const listener of listeners[event]) {
    listener(content);
  }
}
