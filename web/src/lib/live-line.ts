import type { Socket } from "socket.io-client";
import { type Handshake, openSocket, type SocketSettings } from "@/lib/socket";
import { type Acknowledgement, readAcknowledgement } from "@/lib/socket-events";

const ANSWER_WITHIN_MS = 6000;
/** After a sleep or a tunnel a phone's connection is often dead without knowing it. */
export const AWAKE_WITHIN_MS = 2500;
/** After a restart of the server not all phones dial in the same moment. */
const RECONNECT_DELAY_MS = { least: 1000, most: 3000 };
const BUSY = 503;

/** What arrives over a line is listened to here. */
export type Listening = Pick<Socket, "on">;

/** What a line is asked for, and whom it tells what becomes of it. */
export interface LineOptions {
  namespace: string;
  handshake: Handshake;
  settings?: SocketSettings;
  /** How often in a row it is dialled again after the server hung up or refused. */
  redials: number;
  /** Hears each new socket before anything arrives over it. */
  listen: (socket: Listening) => void;
  /** It is being dialled, for the first time or after a drop. */
  dialing?: () => void;
  connected?: () => void;
  /** All tries have failed; `revive` begins anew. */
  gaveUp?: () => void;
  /**
   * The server did not let this member in, other than for being busy. `again` dials a little later,
   * by way of what it is given; by itself, a line that is refused gives up.
   */
  refused?: (again: (by: (dial: () => void) => void) => void) => void;
}

/**
 * One connection of a member that is kept: dialled, lost, dialled again, given up and revived.
 *
 * What is sent is acknowledged, or lost: the line then is dead, and dialled anew.
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

  /** Give up whatever there is and connect. */
  dial(): void {
    this.close();
    const { namespace, handshake, settings = {}, dialing } = this.#options;
    dialing?.();
    this.#hangUp = openSocket(namespace, handshake, (socket) => this.#take(socket), {
      settings,
      onUnavailable: () => this.giveUp(),
    });
  }

  /** Dial with all tries left, because the network or the member has come back. */
  revive(): void {
    this.settle();
    this.dial();
  }

  /** The server has taken this line: what went wrong before counts no more. */
  settle(): void {
    this.#timesSentAway = 0;
  }

  /**
   * Send `content` when connected; false when it was not, and then nothing goes out later either.
   *
   * `then` gets the acknowledgement, or null when none came in time, which means that the
   * connection is dead. After `close` and `dial` it hears no more.
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
    // After a sleep the library finds a dead connection here, and would send to the next one.
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
      // An inactive socket was refused by the server and does not try again.
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
      // The library does not call again by itself when the server hung up, as in a restart.
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
