import type { Socket } from "socket.io-client";
import { listenToTheGame } from "@/features/battle/battle-hearing";
import type { BattleAction } from "@/features/battle/battle-machine";
import type { SessionUser } from "@/lib/session";
import { openSocket } from "@/lib/socket";
import { type Acknowledgement, readAcknowledgement } from "@/lib/socket-events";

const ATTEMPTS = 3;
const CONNECT_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 6000;
/** After a sleep a phone's connection is often dead without knowing it. */
const AWAKE_WITHIN_MS = 2500;
/** The server ticks once a second: a line that falls silent for so long is dead. */
const SILENT_AFTER_MS = 5000;
const CALL_AGAIN_AFTER_MS = 1000;
/** The server stores a time-out by itself within a second; then it can be asked for. */
const ASK_WHAT_RUNS_AFTER_MS = 1500;

interface LineOptions {
  member: SessionUser;
  /** Came back after a drop or reload: never opens a new question. */
  resume: boolean;
  hear: (action: BattleAction) => void;
  /** The server did not let this member in. */
  refused: () => void;
}

/**
 * The connection to the battle ground, and what can be said over it.
 *
 * Every connection enters the zone first; what the server says to that, and every event after it,
 * goes to `hear` until the line is closed. A lost connection is tried three times, then `revive`.
 */
export class BattleLine {
  readonly #member: SessionUser;
  readonly #hear: (action: BattleAction) => void;
  readonly #refused: () => void;
  #socket: Socket | null = null;
  #hangUp = () => {};
  #hasEntered: boolean;
  #timesSentAway = 0;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #askSoon: ReturnType<typeof setTimeout> | undefined;
  #redial: ReturnType<typeof setTimeout> | undefined;

  constructor({ member, resume, hear, refused }: LineOptions) {
    this.#member = member;
    this.#refused = refused;
    this.#hasEntered = resume;
    this.#hear = hear;
    this.#open();
  }

  startTimer(questionId: string): void {
    this.#send("start_timer", { questionId }, () => {});
  }

  /** Send an answer; one that the server does not take is settled by asking what runs. */
  answer(questionId: string, answer: string, timeLeft: number): void {
    const { id: userId, club: clubId } = this.#member;
    const content = { questionId, userId, clubId, answer, timeLeft };
    this.#send("answer_question", content, ({ status }) => {
      if (status >= 400) {
        this.#askSoon = setTimeout(() => this.#enter(), ASK_WHAT_RUNS_AFTER_MS);
      }
    });
  }

  /** Ask for the next question; without a connection the zone is entered again first. */
  next(): void {
    if (!this.#socket?.connected) {
      this.revive();
    }
    this.#send("next_question", {}, (answer) => this.#hearRefusal(answer));
  }

  /** Connect again when the line is down; when it seems up, ask what runs. */
  revive(): void {
    if (this.#socket?.connected) {
      this.#enter(AWAKE_WITHIN_MS);
    } else {
      this.#timesSentAway = 0;
      this.#open();
    }
  }

  close(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#redial);
    clearTimeout(this.#askSoon);
    this.#hangUp();
    this.#socket = null;
  }

  #open(): void {
    this.close();
    this.#hear({ type: "opening" });
    const { userToken: token, id: userId, club: clubId } = this.#member;
    this.#hangUp = openSocket(
      "/battle-ground",
      { token, userId, clubId },
      (socket) => this.#listen(socket),
      {
        settings: {
          transports: ["websocket"],
          reconnectionAttempts: ATTEMPTS,
          timeout: CONNECT_WITHIN_MS,
        },
        onUnavailable: () => this.#giveUp(),
      },
    );
  }

  #listen(socket: Socket): void {
    this.#socket = socket;
    socket.on("connect", () => {
      this.#hear({ type: "connected" });
      this.#enter();
    });
    socket.on("disconnect", (reason) => this.#dropped(reason));
    socket.on("connect_error", () => {
      // An inactive socket was refused by the server and does not try again.
      if (!socket.active) {
        this.#giveUp();
        this.#refused();
      }
    });
    socket.io.on("reconnect_failed", () => this.#giveUp());
    socket.on("time_update", () => this.#expectMore());
    listenToTheGame(socket, (action) => {
      if (action.type !== "tick") {
        clearTimeout(this.#silence);
      }
      if (action.type === "taken-over") {
        this.close();
      }
      this.#hear(action);
    });
  }

  #expectMore(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#open(), SILENT_AFTER_MS);
  }

  #dropped(reason: string): void {
    clearTimeout(this.#silence);
    if (reason === "io client disconnect") {
      return;
    }
    this.#hear({ type: "opening" });
    if (reason === "io server disconnect") {
      // The library does not call again by itself when the server hung up, as in a restart.
      this.#timesSentAway += 1;
      this.#redial = setTimeout(
        () => (this.#timesSentAway > ATTEMPTS ? this.#giveUp() : this.#open()),
        CALL_AGAIN_AFTER_MS,
      );
    }
  }

  #enter(withinMs = ANSWER_WITHIN_MS): void {
    const { id: userId, club: clubId, firstName, lastName } = this.#member;
    const who = { userId, clubId, firstName, lastName, resume: this.#hasEntered };
    const entered = (answer: Acknowledgement) => {
      if (this.#hearRefusal(answer)) {
        return;
      }
      this.#hasEntered = true;
      this.#timesSentAway = 0;
      this.#hear({ type: "joined", found: String(answer.data["state"] ?? "") });
    };
    this.#send("enter_battle_zone", who, entered, withinMs);
  }

  #hearRefusal({ status, code, message, data }: Acknowledgement): boolean {
    const refused = status >= 400;
    if (refused && code === "session_taken_over") {
      this.close();
      this.#hear({ type: "taken-over" });
    } else if (refused) {
      this.#hear({ type: "refused", refusal: { code, message, data } });
    }
    return refused;
  }

  /** Send `content`; no acknowledgement in time means that the connection is dead. */
  #send(
    event: string,
    content: object,
    then: (answer: Acknowledgement) => void,
    withinMs = ANSWER_WITHIN_MS,
  ): void {
    const socket = this.#socket;
    if (!socket?.connected) {
      return;
    }
    socket.timeout(withinMs).emit(event, content, (lost: Error | null, answer: unknown) => {
      if (socket !== this.#socket) {
        return;
      }
      if (!lost) {
        then(readAcknowledgement(answer));
      } else if (socket.connected) {
        this.#open();
      }
    });
  }

  #giveUp(): void {
    this.close();
    this.#hear({ type: "gave-up" });
  }
}
