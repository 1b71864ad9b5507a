import type { Socket } from "socket.io-client";
import { type Handshake, openSocket, type SocketSettings } from "@/lib/socket";
import { type Acknowledgement, readAcknowledgement } from "@/lib/socket-events";

const ANSWER_WITHIN_MS = 6000;
/** After a sleep or a tunnel a phone's connection is often dead without knowing it. */
export const AWAKE_WITHIN_MS = 2500;
/** After a restart of the server phones reconnect at random delays. */
const RECONNECT_DELAY_MS = { least: 1000, most: 3000 };
const BUSY = 503;

/** The part of a socket that handlers subscribe to. */
export type Listening = Pick<Socket, "on">;

/** The settings and callbacks of a connection. */
export interface LineOptions {
  namespace: string;
  handshake: Handshake;
  settings?: SocketSettings;
  /** The number of consecutive retries after the server disconnected or refused. */
  redials: number;
  /** Called with each new socket before any event arrives. */
  listen: (socket: Listening) => void;
  /** Connecting, for the first time or after a drop. */
  dialing?: () => void;
  connected?: () => void;
  /** All retries have failed; `resume` starts over. */
  gaveUp?: () => void;
  /**
   * The server refused this member, other than for being busy. `again` reconnects after a delay,
   * through the function it is given; without this callback, a refused connection gives up.
   */
  refused?: (again: (by: (dial: () => void) => void) => void) => void;
}

/**
 * A member's connection: connected, lost, retried, given up and resumed.
 *
 * A message is acknowledged or lost: after a lost one the connection is dead, and is replaced.
 */
export class LiveLine {
  readonly #options: LineOptions;
  #socket: Socket | null = null;
  #hangUp = () => {};
  #timesSentAway = 0;
  #redial: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#socket?.connected === true;
  }

  /** Close any connection and open a new one. */
  dial(): void {
    this.close();
    const { namespace, handshake, settings = {}, dialing } = this.#options;
    dialing?.();
    this.#hangUp = openSocket(namespace, handshake, (socket) => this.#take(socket), {
      settings,
      onUnavailable: () => this.giveUp(),
    });
  }

  /** Connect with all retries left, because the network or the member has returned. */
  revive(): void {
    this.settle();
    this.dial();
  }

  /** The server has accepted this connection: reset the retry count. */
  settle(): void {
    this.#timesSentAway = 0;
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
    withinMs = ANSWER_WITHIN_MS,
  ): boolean {
    const socket = this.#socket;
    if (!socket?.connected) {
      return false;
    }
    const kept = socket.sendBuffer.length;
    let isSent = true;
    socket.timeout(withinMs).emit(event, content, (lost: Error | null, answer: unknown) => {
      if (!isSent || socket !== this.#socket) {
        return;
      }
      then(lost ? null : readAcknowledgement(answer));
      if (lost && socket.connected) {
        this.dial();
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
    clearTimeout(this.#redial);
    this.#hangUp();
    this.#socket = null;
  }

  #take(socket: Socket): void {
    this.#socket = socket;
    socket.on("connect", () => this.#options.connected?.());
    socket.on("disconnect", (reason) => this.#dropped(reason));
    socket.on("connect_error", (error: Error & { data?: { status?: number } }) => {
      // An inactive socket was refused by the server and does not retry.
      if (socket.active) {
        return;
      }
      if (error.data?.status === BUSY) {
        this.#options.dialing?.();
        this.#sentAway(() => this.dial());
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
      this.#options.refused((by) => this.#sentAway(() => by(() => this.dial())));
    }
  }

  #dropped(reason: string): void {
    if (reason === "io client disconnect") {
      return;
    }
    this.#options.dialing?.();
    if (reason === "io server disconnect") {
      // The library does not reconnect when the server disconnected, as in a restart.
      this.#sentAway(() => this.dial());
    }
  }

  #sentAway(tryAgain: () => void): void {
    this.#timesSentAway += 1;
    clearTimeout(this.#redial);
    const { least, most } = RECONNECT_DELAY_MS;
    this.#redial = setTimeout(
      () => (this.#timesSentAway > this.#options.redials ? this.giveUp() : tryAgain()),
      least + Math.random() * (most - least),
    );
  }
}
