import type { Socket } from "socket.io-client";
import { type Handshake, openSocket, type SocketSettings } from "@/lib/live/socket";
import { type Acknowledgement, readAcknowledgement } from "@/lib/live/socket-events";

const ACK_TIMEOUT_MS = 6000;
/** After a sleep or a tunnel a phone's connection is often dead without knowing it. */
export const PROBE_TIMEOUT_MS = 2500;
/** After a restart of the server phones reconnect at random delays. */
const RECONNECT_DELAY_MS = { min: 1000, max: 3000 };
const BUSY = 503;

/** The part of a socket that handlers subscribe to. */
export type SocketEvents = Pick<Socket, "on">;

/** The settings and callbacks of a connection. */
export interface ReconnectingSocketOptions {
  namespace: string;
  handshake: Handshake;
  settings?: SocketSettings;
  /** The number of consecutive retries after the server disconnected or refused. */
  retries: number;
  /** Called with each new socket before any event arrives. */
  listen: (socket: SocketEvents) => void;
  /** Connecting, for the first time or after a drop. */
  connecting?: () => void;
  connected?: () => void;
  /** All retries have failed; `resume` starts over. */
  gaveUp?: () => void;
  /**
   * The server refused this member, other than for being busy. `again` reconnects after a delay,
   * through the function it is given; without this callback, a refused connection gives up.
   */
  refused?: (again: (by: (connect: () => void) => void) => void) => void;
}

/**
 * A member's connection: connected, lost, retried, given up and resumed.
 *
 * A message is acknowledged or lost: after a lost one the connection is dead, and is replaced.
 */
export class ReconnectingSocket {
  readonly #options: ReconnectingSocketOptions;
  #socket: Socket | null = null;
  #disconnect = () => {};
  #retries = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ReconnectingSocketOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#socket?.connected === true;
  }

  /** Close any connection and open a new one. */
  connect(): void {
    this.close();
    const { namespace, handshake, settings = {}, connecting } = this.#options;
    connecting?.();
    this.#disconnect = openSocket(namespace, handshake, (socket) => this.#attach(socket), {
      settings,
      onUnavailable: () => this.giveUp(),
    });
  }

  /** Connect with all retries left, because the network or the member has returned. */
  resume(): void {
    this.resetRetries();
    this.connect();
  }

  /** The server has accepted this connection: reset the retry count. */
  resetRetries(): void {
    this.#retries = 0;
  }

  /**
   * Send `content` if connected; returns false if not, and then it is not sent later either.
   *
   * `then` gets the acknowledgement, or null on timeout, which means that the connection is dead.
   * It is not called after `close` or `connect`.
   */
  send(
    event: string,
    content: object,
    then: (answer: Acknowledgement | null) => void,
    timeoutMs = ACK_TIMEOUT_MS,
  ): boolean {
    const socket = this.#socket;
    if (!socket?.connected) {
      return false;
    }
    const kept = socket.sendBuffer.length;
    let isSent = true;
    socket.timeout(timeoutMs).emit(event, content, (lost: Error | null, answer: unknown) => {
      if (!isSent || socket !== this.#socket) {
        return;
      }
      then(lost ? null : readAcknowledgement(answer));
      if (lost && socket.connected) {
        this.connect();
      }
    });
    // After a sleep the library notices a dead connection here, and would buffer for the next one.
    isSent = socket.sendBuffer.length === kept;
    socket.sendBuffer.length = kept;
    return isSent;
  }

  giveUp(): void {
    this.close();
    this.#options.gaveUp?.();
  }

  close(): void {
    clearTimeout(this.#retryTimer);
    this.#disconnect();
    this.#socket = null;
  }

  #attach(socket: Socket): void {
    this.#socket = socket;
    socket.on("connect", () => this.#options.connected?.());
    socket.on("disconnect", (reason) => this.#dropped(reason));
    socket.on("connect_error", (error: Error & { data?: { status?: number } }) => {
      // An inactive socket was refused by the server and does not retry.
      if (socket.active) {
        return;
      }
      if (error.data?.status === BUSY) {
        this.#options.connecting?.();
        this.#retryLater(() => this.connect());
      } else {
        this.#refuse();
      }
    });
    socket.io.on("reconnect_failed", () => this.giveUp());
    this.#options.listen(socket);
  }

  #refuse(): void {
    if (this.#options.refused === undefined) {
      this.giveUp();
    } else {
      this.#options.refused((by) => this.#retryLater(() => by(() => this.connect())));
    }
  }

  #dropped(reason: string): void {
    if (reason === "io client disconnect") {
      return;
    }
    this.#options.connecting?.();
    if (reason === "io server disconnect") {
      // The library does not reconnect when the server disconnected, as in a restart.
      this.#retryLater(() => this.connect());
    }
  }

  #retryLater(tryAgain: () => void): void {
    this.#retries += 1;
    clearTimeout(this.#retryTimer);
    const { min, max } = RECONNECT_DELAY_MS;
    this.#retryTimer = setTimeout(
      () => (this.#retries > this.#options.retries ? this.giveUp() : tryAgain()),
      min + Math.random() * (max - min),
    );
  }
}
