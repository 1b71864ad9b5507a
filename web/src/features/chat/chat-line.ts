import type { Socket } from "socket.io-client";
import {
  type ChatMessage,
  readHidden,
  readMessage,
  readUserList,
  type UserList,
} from "@/features/chat/events";
import type { SessionUser } from "@/lib/session";
import { openSocket } from "@/lib/socket";
import { type Acknowledgement, readAcknowledgement } from "@/lib/socket-events";

const ATTEMPTS = 5;
const ATTEMPT_AFTER_MS = 1000;
const CONNECT_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 6000;
/** After a sleep or a tunnel a phone's connection is often dead without knowing it. */
const AWAKE_WITHIN_MS = 2500;

/** What a line tells the screen. */
export interface Ears {
  opening: () => void;
  connected: () => void;
  /** A whole burst of tries has failed. */
  gaveUp: () => void;
  /** The server did not let the member in: they join again and call `again`. */
  mustJoin: (again: () => void) => void;
  message: (message: ChatMessage) => void;
  hidden: (id: string, club: string) => void;
  users: (list: UserList) => void;
}

export interface Outgoing {
  club: string;
  text: string;
  clientId: string;
  timeMs: number;
}

/**
 * The one connection of the chat screen, for both rooms.
 *
 * A lost connection is tried five times, then `revive`. What is sent answers exactly once: with the
 * server's acknowledgement, or with null when it was lost and may be sent again.
 */
export class ChatLine {
  readonly #member: SessionUser;
  readonly #ears: Ears;
  #socket: Socket | null = null;
  #hangUp = () => {};
  #timesSentAway = 0;
  #redial: ReturnType<typeof setTimeout> | undefined;

  constructor(member: SessionUser, ears: Ears) {
    this.#member = member;
    this.#ears = ears;
    this.#open();
  }

  /** Hand a message over; `then` gets null when no answer came. */
  send(message: Outgoing, then: (answer: Acknowledgement | null) => void): void {
    const content = {
      user_id: this.#member.id,
      club: message.club,
      chat_message: message.text,
      lastname: this.#member.lastName,
      time: message.timeMs,
      client_id: message.clientId,
    };
    if (!this.#emit("message", content, then, ANSWER_WITHIN_MS)) {
      then(null);
    }
  }

  /** Say how far the member has read; saying it again changes nothing. */
  read(club: string, seq: number): void {
    this.#emit("read", { club, seq }, () => {}, ANSWER_WITHIN_MS);
  }

  /** Find out whether a connection that seems open still is one, by saying again what was read. */
  probe(club: string, seq: number): void {
    this.#emit("read", { club, seq }, () => {}, AWAKE_WITHIN_MS);
  }

  isConnected(): boolean {
    return this.#socket?.connected === true;
  }

  /** Give up whatever there is and connect again. */
  revive(): void {
    this.#timesSentAway = 0;
    this.#open();
  }

  close(): void {
    clearTimeout(this.#redial);
    this.#hangUp();
    this.#socket = null;
  }

  #open(): void {
    this.close();
    this.#ears.opening();
    const { userToken: token, id, club: clubId, lastName, clubName } = this.#member;
    this.#hangUp = openSocket(
      "/chat",
      { token, userId: id, clubId, user: { id, lastName, clubName } },
      (socket) => this.#listen(socket),
      {
        settings: {
          transports: ["websocket"],
          reconnectionAttempts: ATTEMPTS,
          reconnectionDelay: ATTEMPT_AFTER_MS,
          timeout: CONNECT_WITHIN_MS,
        },
        onUnavailable: () => this.#giveUp(),
      },
    );
  }

  #listen(socket: Socket): void {
    this.#socket = socket;
    socket.on("connect", () => this.#ears.connected());
    socket.on("disconnect", (reason) => this.#dropped(reason));
    socket.on("connect_error", () => {
      // An inactive socket was refused by the server and does not try again.
      if (!socket.active) {
        this.#sentAway(() => this.#ears.mustJoin(() => this.#open()));
      }
    });
    socket.io.on("reconnect_failed", () => this.#giveUp());
    socket.on("userList", (event: unknown) => {
      this.#timesSentAway = 0;
      this.#ears.users(readUserList(event));
    });
    socket.on("message", (event: unknown) => {
      const message = readMessage(event);
      if (message !== null) {
        this.#ears.message(message);
      }
    });
    socket.on("message_hidden", (event: unknown) => {
      const hidden = readHidden(event);
      if (hidden !== null) {
        this.#ears.hidden(hidden.id, hidden.club);
      }
    });
  }

  #dropped(reason: string): void {
    if (reason === "io client disconnect") {
      return;
    }
    this.#ears.opening();
    if (reason === "io server disconnect") {
      // The library does not call again by itself when the server hung up, as in a restart.
      this.#sentAway(() => this.#open());
    }
  }

  /** Try again in a second, up to five times in a row. */
  #sentAway(tryAgain: () => void): void {
    this.#timesSentAway += 1;
    clearTimeout(this.#redial);
    this.#redial = setTimeout(
      () => (this.#timesSentAway > ATTEMPTS ? this.#giveUp() : tryAgain()),
      ATTEMPT_AFTER_MS,
    );
  }

  /** Send when connected; no acknowledgement in time means that the connection is dead. */
  #emit(
    event: string,
    content: object,
    then: (answer: Acknowledgement | null) => void,
    withinMs: number,
  ): boolean {
    const socket = this.#socket;
    if (!socket?.connected) {
      return false;
    }
    socket.timeout(withinMs).emit(event, content, (lost: Error | null, answer: unknown) => {
      if (socket !== this.#socket) {
        return;
      }
      then(lost ? null : readAcknowledgement(answer));
      if (lost && socket.connected) {
        this.#open();
      }
    });
    return true;
  }

  #giveUp(): void {
    this.close();
    this.#ears.gaveUp();
  }
}
