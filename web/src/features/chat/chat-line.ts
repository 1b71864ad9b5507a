import type { ReactionKey } from "@/api/wire";
import {
  type ChatMessage,
  readHidden,
  readMessage,
  readReactions,
  readSkipped,
  readUserList,
  type UserList,
} from "@/features/chat/events";
import type { Counts } from "@/features/chat/reactions";
import type { SkippedRange } from "@/features/chat/skipped";
import { isOffline } from "@/lib/live/failures";
import {
  PROBE_TIMEOUT_MS,
  ReconnectingSocket,
  type SocketEvents,
} from "@/lib/live/reconnecting-socket";
import type { Acknowledgement } from "@/lib/live/socket-events";
import type { SessionUser } from "@/lib/session/session";

const ATTEMPTS = 5;
const RETRY_DELAY_MS = 1000;
const CONNECT_TIMEOUT_MS = 10_000;

/** The connection's callbacks. */
export interface ChatLineHandlers {
  opening: () => void;
  connected: () => void;
  /** A whole series of retries has failed. */
  gaveUp: () => void;
  /** The server refused the member: join again, then call `again`. */
  mustJoin: (again: () => void) => void;
  message: (message: ChatMessage) => void;
  hidden: (id: string, club: string) => void;
  reactions: (id: string, club: string, counts: Counts) => void;
  skipped: (club: string, range: SkippedRange) => void;
  users: (list: UserList) => void;
}

type AckCallback = (answer: Acknowledgement | null) => void;

/** The outcome of an action: the server's acknowledgement, not sent, or unknown. */
export type Outcome = Acknowledgement | "not-sent" | "unknown";

type OutcomeCallback = (outcome: Outcome) => void;

export interface Outgoing {
  club: string;
  text: string;
  clientId: string;
  timeMs: number;
  /** The message that this one answers. */
  replyToId: string | null;
  mentions: readonly string[];
}

/**
 * The one connection of the chat screen, for both rooms.
 *
 * A lost connection is retried five times, then on `resume`. A message may be sent again, so its
 * `then` gets null if it was lost; an action is not repeated, and its `then` gets the outcome
 * exactly once, unless the connection was closed.
 */
export class ChatLine {
  readonly #member: SessionUser;
  readonly #line: ReconnectingSocket;
  readonly #pending = new Set<OutcomeCallback>();

  constructor(member: SessionUser, handlers: ChatLineHandlers) {
    this.#member = member;
    const { userToken: token, id, club: clubId, lastName, clubName } = member;
    this.#line = new ReconnectingSocket({
      namespace: "/chat",
      handshake: { token, userId: id, clubId, user: { id, lastName, clubName } },
      settings: {
        transports: ["websocket"],
        reconnectionAttempts: ATTEMPTS,
        reconnectionDelay: RETRY_DELAY_MS,
        timeout: CONNECT_TIMEOUT_MS,
      },
      retries: ATTEMPTS,
      connecting: () => {
        this.#failPending();
        handlers.opening();
      },
      connected: handlers.connected,
      gaveUp: handlers.gaveUp,
      refused: (again) => again(handlers.mustJoin),
      listen: (socket) => this.#listen(socket, handlers),
    });
    this.#line.connect();
  }

  /** Send a message; `then` gets null if no acknowledgement came. */
  send(message: Outgoing, then: AckCallback): void {
    const content = {
      user_id: this.#member.id,
      club: message.club,
      chat_message: message.text,
      lastname: this.#member.lastName,
      time: message.timeMs,
      client_id: message.clientId,
      ...(message.replyToId === null ? {} : { reply_to: message.replyToId }),
      ...(message.mentions.length === 0 ? {} : { mentions: message.mentions }),
    };
    if (!this.#line.send("message", content, then)) {
      then(null);
    }
  }

  /** Set the member's reaction to a message; null removes it. */
  react(club: string, id: string, key: ReactionKey | null, then: OutcomeCallback): void {
    this.#sendAction("react", { club, id, key }, then);
  }

  /** Delete the member's message for everyone. */
  remove(club: string, id: string, then: OutcomeCallback): void {
    this.#sendAction("delete_message", { club, id }, then);
  }

  /** Mark messages as read up to `seq`; idempotent. */
  read(club: string, seq: number): void {
    this.#line.send("read", { club, seq }, () => {});
  }

  /** Check whether an open connection is alive, by repeating the last read mark. */
  probe(club: string, seq: number): void {
    this.#line.send("read", { club, seq }, () => {}, PROBE_TIMEOUT_MS);
  }

  isConnected(): boolean {
    return this.#line.isConnected;
  }

  resume(): void {
    this.#line.resume();
  }

  close(): void {
    this.#pending.clear();
    this.#line.close();
  }

  #sendAction(event: string, content: object, then: OutcomeCallback): void {
    const end = (outcome: Outcome) => {
      if (this.#pending.delete(end)) {
        then(outcome);
      }
    };
    this.#pending.add(end);
    // A connection notices late that the network is gone, and would send when it returns.
    if (isOffline() || !this.#line.send(event, content, (answer) => end(answer ?? "unknown"))) {
      end("not-sent");
    }
  }

  /** No acknowledgement arrives over an abandoned connection. */
  #failPending(): void {
    for (const end of [...this.#pending]) {
      end("unknown");
    }
  }

  #listen(socket: SocketEvents, handlers: ChatLineHandlers): void {
    socket.on("userList", (event: unknown) => {
      this.#line.resetRetries();
      handlers.users(readUserList(event));
    });
    socket.on("message", (event: unknown) => {
      const message = readMessage(event);
      if (message !== null) {
        handlers.message(message);
      }
    });
    socket.on("messages_skipped", (event: unknown) => {
      const skipped = readSkipped(event);
      if (skipped !== null) {
        handlers.skipped(skipped.club, skipped);
      }
    });
    socket.on("message_hidden", (event: unknown) => {
      const hidden = readHidden(event);
      if (hidden !== null) {
        handlers.hidden(hidden.id, hidden.club);
      }
    });
    socket.on("reactions", (event: unknown) => {
      const found = readReactions(event);
      if (found !== null) {
        handlers.reactions(found.id, found.club, found.counts);
      }
    });
  }
}
