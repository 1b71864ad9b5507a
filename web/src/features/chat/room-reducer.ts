import type { ChatMessage, Quote } from "@/features/chat/events";
import type { Counts, Reactions } from "@/features/chat/reactions";
import {
  type Pending,
  type Room,
  raised,
  settled,
  syncedUpTo,
  unseen,
  withChange,
  withMessages,
  without,
  withoutMessage,
  withSkipped,
} from "@/features/chat/room";
import { cut, type SkippedRange } from "@/features/chat/skipped";

/** The member, as the sender of messages. */
export interface Me {
  id: string;
  firstName: string;
  lastName: string;
  avatar: string | null;
}

interface UnreadState {
  unread: number;
  lastReadSeq: number;
  lastSeq: number;
}

/** The actions on one room. */
export type RoomAction =
  | { type: "joined"; unreadState: UnreadState }
  | { type: "history-asked" }
  | { type: "history"; messages: ChatMessage[]; hasOlder: boolean; upToSeq: number }
  | { type: "history-failed" }
  | { type: "older-asked" }
  | { type: "older"; messages: ChatMessage[]; hasOlder: boolean }
  | { type: "older-failed" }
  | { type: "caught-up"; messages: ChatMessage[]; isComplete: boolean; upToSeq: number }
  | { type: "arrived"; message: ChatMessage }
  | ({ type: "skipped" } & SkippedRange)
  | { type: "skipped-read"; messages: ChatMessage[]; from: number; upToSeq: number }
  | { type: "hidden"; id: string }
  | { type: "reactions"; id: string; counts: Counts }
  | { type: "reacted"; id: string; reactions: Reactions }
  | { type: "unsettled"; id: string }
  | { type: "settled"; id: string; page: readonly ChatMessage[] }
  | {
      type: "typed";
      clientId: string;
      text: string;
      typedAtMs: number;
      replyTo: Quote | null;
      mentions: readonly string[];
    }
  | { type: "handed-over"; clientId: string }
  | {
      type: "stored";
      clientId: string;
      id: string;
      seq: number;
      timeMs: number;
      club: string;
      /** The time of the answer, by this phone's clock. */
      answeredAtMs: number;
    }
  /** `slowSeconds` says that slow mode is the reason, which may be news. */
  | { type: "held"; clientId: string; untilMs: number; slowSeconds: number }
  | { type: "hold-over" }
  | { type: "refused"; clientId: string; sentence: string; hasLostQuote: boolean }
  | { type: "lost"; clientId: string }
  | { type: "retry"; clientId: string }
  | { type: "unquote"; clientId: string }
  | { type: "discard"; clientId: string };

/** The reducer of a room. */
export function roomReducer(room: Room, action: RoomAction, me: Me): Room {
  switch (action.type) {
    case "joined":
      return joined(room, action.unreadState);
    case "history-asked":
      return { ...room, history: "loading" };
    case "history-failed":
      return { ...room, history: "failed", messages: [] };
    case "history":
      return firstPage(room, action, me.id);
    case "older-asked":
      return { ...room, older: "loading" };
    case "older-failed":
      return { ...room, older: "failed" };
    case "older":
      return olderPage(room, action, me.id);
    case "caught-up":
      return caughtUp(room, action);
    case "arrived":
      return arrived(room, action.message, me.id);
    case "skipped":
      return skipped(room, action);
    case "skipped-read":
      return skippedRead(room, action);
    case "hidden":
      return withoutMessage(room, action.id);
    case "reactions":
      return withChange(room, action.id, { counts: action.counts });
    case "reacted":
      return withChange(room, action.id, action.reactions);
    case "unsettled":
      return {
        ...room,
        unsettledIds: [...without(room.unsettledIds, (id) => id === action.id), action.id],
      };
    case "settled":
      return settled(room, action.id, action.page);
    default:
      return outgoing(room, action, me);
  }
}

function joined(room: Room, { unread, lastReadSeq, lastSeq }: UnreadState): Room {
  if (room.history === "ready") {
    return raised({ ...room, lastReadSeq: Math.max(room.lastReadSeq, lastReadSeq) }, lastSeq);
  }
  return { ...room, unreadElsewhere: unread, lastReadSeq, lastSeq };
}

type Of<Type extends RoomAction["type"]> = Extract<RoomAction, { type: Type }>;

/** Merge the newest page: it joins the loaded messages, or, far ahead of them, replaces them. */
function firstPage(room: Room, page: Of<"history">, memberId: string): Room {
  const oldest = page.messages[0]?.seq ?? 0;
  const newest = page.messages.at(-1)?.seq ?? 0;
  const joins = room.history === "ready" && oldest <= room.syncedSeq + 1;
  const kept = joins ? room.messages : without(room.messages, ({ seq }) => seq <= newest);
  const hasOlder = joins ? room.hasOlder : page.hasOlder;
  const start = joins ? oldest : 0;
  const skipped = cut(room.skipped, start, Math.max(newest, page.upToSeq));
  const filled = withMessages({ ...room, messages: kept, hasOlder, skipped }, page.messages);
  const synced = syncedUpTo(filled, Math.max(newest, page.upToSeq));
  const isAllHere = !hasOlder || oldest <= room.lastReadSeq + 1;
  const unloaded = isAllHere ? 0 : unreadBefore(room, page.messages, memberId);
  return {
    ...synced,
    history: "ready",
    older: "idle",
    unreadElsewhere: joins ? room.unreadElsewhere : unloaded,
    mustCatchUp: synced.lastSeq > synced.syncedSeq,
  };
}

/** The number of unread messages before a page: of those counted, or known to exist. */
function unreadBefore(room: Room, page: readonly ChatMessage[], memberId: string): number {
  const inPage = unseen(page, room.lastReadSeq, memberId);
  const newest = page.at(-1)?.seq ?? 0;
  const all = room.history === "ready" ? newest - room.lastReadSeq : room.unreadElsewhere;
  return Math.max(0, all - inPage);
}

function olderPage(room: Room, page: Of<"older">, memberId: string): Room {
  const unread = unseen(page.messages, room.lastReadSeq, memberId);
  return {
    ...withMessages(room, page.messages),
    older: "idle",
    hasOlder: page.hasOlder,
    unreadElsewhere: Math.max(0, room.unreadElsewhere - unread),
  };
}

function caughtUp(room: Room, page: Of<"caught-up">): Room {
  const newest = page.messages.at(-1)?.seq ?? 0;
  const upTo = page.isComplete ? Math.max(newest, page.upToSeq) : newest;
  const skipped = cut(room.skipped, page.messages[0]?.seq ?? upTo, upTo);
  const synced = syncedUpTo(withMessages({ ...room, skipped }, page.messages), upTo);
  return { ...synced, mustCatchUp: !page.isComplete || synced.lastSeq > synced.syncedSeq };
}

function arrived(room: Room, message: ChatMessage, memberId: string): Room {
  if (room.history === "untouched" || room.history === "failed") {
    const isMine = message.userId === memberId;
    const waiting = without(room.pending, ({ clientId }) => clientId === message.clientId);
    const known = raised({ ...room, history: "untouched", pending: waiting }, message.seq);
    const own = isMine && message.seq > room.lastSeq ? 1 : 0;
    return { ...known, history: room.history, unreadElsewhere: known.unreadElsewhere - own };
  }
  const filled = withMessages(room, [message]);
  if (filled === room) {
    return room;
  }
  // An own message comes at once: those before it may be announced as skipped a second later.
  return message.userId === memberId ? syncedUpTo(filled, filled.syncedSeq) : withoutGap(filled);
}

/** Messages that were not sent are no gap; without a history it will contain them. */
function skipped(room: Room, { from, to }: Of<"skipped">): Room {
  return room.history === "ready" ? withoutGap(withSkipped(room, { from, to })) : raised(room, to);
}

/** A late page is dropped if its range has left the room, or it would be an island. */
function skippedRead(room: Room, { messages, from, upToSeq }: Of<"skipped-read">): Room {
  if (!room.skipped.some((range) => range.from <= from && from <= range.to)) {
    return room;
  }
  return withMessages({ ...room, skipped: cut(room.skipped, from, upToSeq) }, messages);
}

/** Messages without a gap are complete; a gap has to be filled. */
function withoutGap(room: Room): Room {
  if (room.history !== "ready") {
    return room;
  }
  const synced = syncedUpTo(room, room.syncedSeq);
  return { ...synced, mustCatchUp: room.mustCatchUp || synced.lastSeq > synced.syncedSeq };
}

type Outgoing = Of<
  | "typed"
  | "handed-over"
  | "stored"
  | "held"
  | "hold-over"
  | "refused"
  | "lost"
  | "retry"
  | "unquote"
  | "discard"
>;

/** The progress of the member's own messages. */
function outgoing(room: Room, action: Outgoing, me: Me): Room {
  switch (action.type) {
    case "typed":
      return typed(room, action);
    case "handed-over":
      return marked(room, action.clientId, { status: "sending" });
    case "stored":
      return stored(room, action, me);
    case "held":
      return {
        ...marked(room, action.clientId, { status: "waiting" }),
        heldUntilMs: action.untilMs,
        slowSeconds: Math.max(room.slowSeconds, action.slowSeconds),
      };
    case "hold-over":
      return { ...room, heldUntilMs: 0 };
    case "refused":
      return marked(room, action.clientId, {
        status: "failed",
        refusal: action.sentence,
        hasLostQuote: action.hasLostQuote,
      });
    case "lost":
    case "retry":
      return marked(room, action.clientId, { status: "waiting", refusal: "" });
    case "unquote":
      return marked(room, action.clientId, {
        status: "waiting",
        refusal: "",
        replyTo: null,
        hasLostQuote: false,
      });
    case "discard":
      return {
        ...room,
        pending: without(room.pending, ({ clientId }) => clientId === action.clientId),
      };
  }
}

function typed(room: Room, { type: _, ...message }: Of<"typed">): Room {
  const entry: Pending = { ...message, status: "waiting", refusal: "", hasLostQuote: false };
  return { ...room, pending: [...room.pending, entry], newAfterSeq: null };
}

function marked(room: Room, clientId: string, change: Partial<Pending>): Room {
  return {
    ...room,
    pending: room.pending.map((entry) =>
      entry.clientId === clientId ? { ...entry, ...change } : entry,
    ),
  };
}

/** The server has accepted a message: it moves from the queue to its place. */
function stored(before: Room, action: Of<"stored">, me: Me): Room {
  const { clientId, id, seq, timeMs, club, answeredAtMs } = action;
  const { slowSeconds } = before;
  const room =
    slowSeconds > 0 ? { ...before, heldUntilMs: answeredAtMs + slowSeconds * 1000 } : before;
  const entry = room.pending.find((pending) => pending.clientId === clientId);
  if (entry === undefined) {
    return room;
  }
  const message: ChatMessage = {
    id,
    seq,
    clientId,
    userId: me.id,
    club,
    text: entry.text,
    lastName: me.lastName,
    firstName: me.firstName,
    avatar: me.avatar,
    timeMs,
    replyTo: entry.replyTo,
    mentions: entry.mentions,
    counts: {},
    mine: null,
  };
  return arrived(room, message, me.id);
}
