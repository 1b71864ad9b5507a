import { listenToTheGame } from "@/features/battle/battle-hearing";
import type { BattleAction } from "@/features/battle/battle-machine";
import { AWAKE_WITHIN_MS, type Listening, LiveLine } from "@/lib/live-line";
import type { SessionUser } from "@/lib/session";
import type { Acknowledgement } from "@/lib/socket-events";

const ATTEMPTS = 3;
const CONNECT_WITHIN_MS = 10_000;
/** The server ticks once a second: a connection silent for this long is dead. */
const SILENT_AFTER_MS = 5000;
/** The server stores a time-out within a second; after that the result can be requested. */
const ASK_WHAT_RUNS_AFTER_MS = 1500;

interface LineOptions {
  member: SessionUser;
  /** Returning after a drop or reload: never opens a new question. */
  resume: boolean;
  hear: (action: BattleAction) => void;
  /** The server refused the member. */
  refused: () => void;
}

/**
 * The connection to the battle ground, and the messages that can be sent.
 *
 * Every connection enters the zone first; the response, and every later event, goes to `onAction`
 * until the connection is closed. A lost connection is retried three times, then on `resume`.
 */
export class BattleLine {
  readonly #member: SessionUser;
  readonly #hear: (action: BattleAction) => void;
  readonly #line: LiveLine;
  #hasEntered: boolean;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #askSoon: ReturnType<typeof setTimeout> | undefined;

  constructor({ member, resume, hear, refused }: LineOptions) {
    this.#member = member;
    this.#hasEntered = resume;
    this.#hear = hear;
    const { userToken: token, id: userId, club: clubId } = member;
    this.#line = new LiveLine({
      namespace: "/battle-ground",
      handshake: { token, userId, clubId },
      settings: {
        transports: ["websocket"],
        reconnectionAttempts: ATTEMPTS,
        timeout: CONNECT_WITHIN_MS,
      },
      redials: ATTEMPTS,
      dialing: () => {
        this.#stopWaiting();
        hear({ type: "opening" });
      },
      connected: () => {
        hear({ type: "connected" });
        this.#enter();
      },
      gaveUp: () => {
        this.#stopWaiting();
        hear({ type: "gave-up" });
      },
      refused: () => {
        this.#line.giveUp();
        refused();
      },
      listen: (socket) => this.#listen(socket),
    });
    this.#line.dial();
  }

  startTimer(questionId: string): void {
    this.#send("start_timer", { questionId }, () => {});
  }

  /** Send an answer; if the server does not accept it, request the current state. */
  answer(questionId: string, answer: string, timeLeft: number): void {
    const { id: userId, club: clubId } = this.#member;
    const content = { questionId, userId, clubId, answer, timeLeft };
    this.#send("answer_question", content, ({ status }) => {
      if (status >= 400) {
        this.#askSoon = setTimeout(() => this.#enter(), ASK_WHAT_RUNS_AFTER_MS);
      }
    });
  }

  /** Request the next question; when disconnected, enter the zone again first. */
  next(): void {
    if (!this.#line.isConnected) {
      this.revive();
    }
    this.#send("next_question", {}, (answer) => this.#hearRefusal(answer));
  }

  /** Reconnect if the connection is down; if it seems up, request the current state. */
  revive(): void {
    if (this.#line.isConnected) {
      this.#enter(AWAKE_WITHIN_MS);
    } else {
      this.#line.revive();
    }
  }

  close(): void {
    this.#stopWaiting();
    this.#line.close();
  }

  #listen(socket: Listening): void {
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
    this.#silence = setTimeout(() => this.#line.dial(), SILENT_AFTER_MS);
  }

  #stopWaiting(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#askSoon);
  }

  #enter(withinMs?: number): void {
    const { id: userId, club: clubId, firstName, lastName } = this.#member;
    const who = { userId, clubId, firstName, lastName, resume: this.#hasEntered };
    const entered = (answer: Acknowledgement) => {
      if (this.#hearRefusal(answer)) {
        return;
      }
      this.#hasEntered = true;
      this.#line.settle();
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

  /** The next connection enters again and resolves what was lost. */
  #send(
    event: string,
    content: object,
    then: (answer: Acknowledgement) => void,
    withinMs?: number,
  ): void {
    const answered = (answer: Acknowledgement | null) => answer && then(answer);
    this.#line.send(event, content, answered, withinMs);
  }
}
