import { handleGameEvents } from "@/features/battle/battle-events";
import type { BattleAction } from "@/features/battle/battle-machine";
import {
  PROBE_TIMEOUT_MS,
  ReconnectingSocket,
  type SocketEvents,
} from "@/lib/live/reconnecting-socket";
import type { Acknowledgement } from "@/lib/live/socket-events";
import type { SessionUser } from "@/lib/session/session";

const ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 10_000;
/** The server ticks once a second: a connection silent for this long is dead. */
const SILENCE_TIMEOUT_MS = 5000;
/** The server stores a time-out within a second; after that the result can be requested. */
const STATE_REQUEST_DELAY_MS = 1500;

interface BattleLineOptions {
  member: SessionUser;
  /** Returning after a drop or reload: never opens a new question. */
  resume: boolean;
  onAction: (action: BattleAction) => void;
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
  readonly #onAction: (action: BattleAction) => void;
  readonly #line: ReconnectingSocket;
  #hasEntered: boolean;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #stateTimer: ReturnType<typeof setTimeout> | undefined;

  constructor({ member, resume, onAction, refused }: BattleLineOptions) {
    this.#member = member;
    this.#hasEntered = resume;
    this.#onAction = onAction;
    const { userToken: token, id: userId, club: clubId } = member;
    this.#line = new ReconnectingSocket({
      namespace: "/battle-ground",
      handshake: { token, userId, clubId },
      settings: {
        transports: ["websocket"],
        reconnectionAttempts: ATTEMPTS,
        timeout: CONNECT_TIMEOUT_MS,
      },
      retries: ATTEMPTS,
      connecting: () => {
        this.#stopWaiting();
        onAction({ type: "opening" });
      },
      connected: () => {
        onAction({ type: "connected" });
        this.#enter();
      },
      gaveUp: () => {
        this.#stopWaiting();
        onAction({ type: "gave-up" });
      },
      refused: () => {
        this.#line.giveUp();
        refused();
      },
      listen: (socket) => this.#listen(socket),
    });
    this.#line.connect();
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
        this.#stateTimer = setTimeout(() => this.#enter(), STATE_REQUEST_DELAY_MS);
      }
    });
  }

  /** Request the next question; when disconnected, enter the zone again first. */
  next(): void {
    if (!this.#line.isConnected) {
      this.resume();
    }
    this.#send("next_question", {}, (answer) => this.#handleRefusal(answer));
  }

  /** Reconnect if the connection is down; if it seems up, request the current state. */
  resume(): void {
    if (this.#line.isConnected) {
      this.#enter(PROBE_TIMEOUT_MS);
    } else {
      this.#line.resume();
    }
  }

  close(): void {
    this.#stopWaiting();
    this.#line.close();
  }

  #listen(socket: SocketEvents): void {
    socket.on("time_update", () => this.#restartSilenceTimer());
    handleGameEvents(socket, (action) => {
      if (action.type !== "tick") {
        clearTimeout(this.#silence);
      }
      if (action.type === "taken-over") {
        this.close();
      }
      this.#onAction(action);
    });
  }

  #restartSilenceTimer(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#line.connect(), SILENCE_TIMEOUT_MS);
  }

  #stopWaiting(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#stateTimer);
  }

  #enter(timeoutMs?: number): void {
    const { id: userId, club: clubId, firstName, lastName } = this.#member;
    const who = { userId, clubId, firstName, lastName, resume: this.#hasEntered };
    const entered = (answer: Acknowledgement) => {
      if (this.#handleRefusal(answer)) {
        return;
      }
      this.#hasEntered = true;
      this.#line.resetRetries();
      this.#onAction({ type: "joined", found: String(answer.data["state"] ?? "") });
    };
    this.#send("enter_battle_zone", who, entered, timeoutMs);
  }

  #handleRefusal({ status, code, message, data }: Acknowledgement): boolean {
    const refused = status >= 400;
    if (refused && code === "session_taken_over") {
      this.close();
      this.#onAction({ type: "taken-over" });
    } else if (refused) {
      this.#onAction({ type: "refused", refusal: { code, message, data } });
    }
    return refused;
  }

  /** The next connection enters again and resolves what was lost. */
  #send(
    event: string,
    content: object,
    then: (answer: Acknowledgement) => void,
    timeoutMs?: number,
  ): void {
    const answered = (answer: Acknowledgement | null) => answer && then(answer);
    this.#line.send(event, content, answered, timeoutMs);
  }
}
