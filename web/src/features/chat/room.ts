import type { ChatMessage, Quote } from "@/features/chat/events";
import {
  cut,
  cutKnown,
  joined,
  overSkipped,
  type SkippedRange,
  skippedAfter,
} from "@/features/chat/skipped";

/** An own message that the server has not accepted yet. */
export interface Pending {
  clientId: string;
  text: string;
  typedAtMs: number;
  /** Waiting for its turn or the network, in flight, or refused. */
  status: "waiting" | "sending" | "failed";
  /** The server's sentence about a refusal. */
  refusal: string;
  /** The message it answers. */
  replyTo: Quote | null;
  /** The server refused it because the quoted message is gone. */
  hasLostQuote: boolean;
  /** The ids of mentioned members. */
  mentions: readonly string[];
}

/** One of the two rooms, as far as this device knows it. */
export interface Room {
  /** Ordered by `seq`, each once. */
  messages: readonly ChatMessage[];
  /** In the order typed. */
  pending: readonly Pending[];
  history: "untouched" | "loading" | "ready" | "failed";
  older: "idle" | "loading" | "failed";
  hasOlder: boolean;
  /** The last change added messages at the start, or dropped the oldest. */
  startMoved: boolean;
  lastReadSeq: number;
  /** The newest message known to exist. */
  lastSeq: number;
  /** No message is missing up to here. */
  syncedSeq: number;
  /** A connection was lost since the last complete page, or a number was skipped. */
  mustCatchUp: boolean;
  /** Unread messages that are not loaded. */
  unreadElsewhere: number;
  /** Messages among the loaded ones that were not sent: they are loaded on demand. */
  skipped: readonly SkippedRange[];
  /** The seconds between two messages of a member; 0 without slow mode. */
  slowSeconds: number;
  /** The line "New messages" stands after this one; null for no line. */
  newAfterSeq: number | null;
  /** The server asked for a pause in sending until then. */
  heldUntilMs: number;
  /** Recently deleted messages: quotes of them may arrive later. */
  hiddenIds: readonly string[];
  /** Messages with actions whose outcome is unknown. */
  unsettledIds: readonly string[];
}

export const emptyRoom: Room = {
  messages: [],
  pending: [],
  history: "untouched",
  older: "idle",
  hasOlder: false,
  startMoved: false,
  lastReadSeq: 0,
  lastSeq: 0,
  syncedSeq: 0,
  mustCatchUp: false,
  unreadElsewhere: 0,
  skipped: [],
  slowSeconds: 0,
  newAfterSeq: null,
  heldUntilMs: 0,
  hiddenIds: [],
  unsettledIds: [],
};

/** The room with these messages merged in; the same room if it has all of them. */
export function withMessages(room: Room, found: readonly ChatMessage[]): Room {
  const newest = room.messages.at(-1)?.seq ?? 0;
  const isAllNewer = found.every(({ seq }) => seq > newest);
  const known = new Set(isAllNewer ? [] : room.messages.map(({ id }) => id));
  const fresh = found.filter(({ id }) => !known.has(id));
  if (fresh.length === 0) {
    return room;
  }
  const stored = new Set(fresh.map(({ clientId }) => clientId));
  const shown = fresh.map((message) => quoting(message, room.hiddenIds));
  const messages = [...room.messages, ...shown].sort((first, second) => first.seq - second.seq);
  return {
    ...room,
    messages,
    pending: without(room.pending, ({ clientId }) => stored.has(clientId)),
    skipped: cutKnown(room.skipped, fresh),
    lastSeq: Math.max(room.lastSeq, messages.at(-1)?.seq ?? 0),
  };
}

/** A message with its current quote: a deleted message has no text. */
function quoting(message: ChatMessage, hiddenIds: readonly string[]): ChatMessage {
  const { replyTo } = message;
  return replyTo !== null && replyTo.excerpt !== null && hiddenIds.includes(replyTo.id)
    ? { ...message, replyTo: { ...replyTo, excerpt: null } }
    : message;
}

const MAX_HIDDEN = 200;

/** The room without a message, and without its text in replies to it. */
export function withoutMessage(room: Room, hiddenId: string): Room {
  const hiddenIds = [...room.hiddenIds, hiddenId].slice(-MAX_HIDDEN);
  const left = without(room.messages, ({ id }) => id === hiddenId);
  const isQuoted = left.some(({ replyTo }) => replyTo?.id === hiddenId);
  const messages = isQuoted ? left.map((message) => quoting(message, hiddenIds)) : left;
  return { ...room, messages, hiddenIds };
}

/** The room with a new state of a message that it has. */
export function withChange(room: Room, id: string, change: Partial<ChatMessage>): Room {
  return room.messages.some((message) => message.id === id)
    ? {
        ...room,
        messages: room.messages.map((message) =>
          message.id === id ? { ...message, ...change } : message,
        ),
      }
    : room;
}

/** The room with the outcome for a message: as in `page`, read around it. */
export function settled(room: Room, id: string, page: readonly ChatMessage[]): Room {
  const left = { ...room, unsettledIds: without(room.unsettledIds, (one) => one === id) };
  const found = page.find((message) => message.id === id);
  if (found !== undefined) {
    return withChange(left, id, { counts: found.counts, mine: found.mine });
  }
  const known = room.messages.find((message) => message.id === id);
  const isGone = known !== undefined && (page[0]?.seq ?? 0) < known.seq;
  return isGone ? withoutMessage(left, id) : left;
}

/**
 * A room keeps this many of its newest messages; older ones are fetched again on scrolling back.
 */
const MAX_STORED = 500;
/** Up to this many more may accumulate, so that the list is cut rarely. */
const CUT_AFTER = 100;

/** The room without its oldest messages once there are many; the same room until then. */
export function bounded(room: Room, memberId: string): Room {
  const surplus = room.messages.length - MAX_STORED;
  if (surplus <= CUT_AFTER || room.older === "loading") {
    return room;
  }
  const skipped = cut(room.skipped, 0, room.messages[surplus]?.seq ?? 0);
  const unloaded =
    unseen(room.messages.slice(0, surplus), room.lastReadSeq, memberId) +
    skippedAfter(room.skipped, room.lastReadSeq) -
    skippedAfter(skipped, room.lastReadSeq);
  return {
    ...room,
    skipped,
    messages: room.messages.slice(surplus),
    hasOlder: true,
    unreadElsewhere: room.unreadElsewhere + unloaded,
  };
}

/** The room with messages that were not sent: nothing is missing because of them. */
export function withSkipped(room: Room, { from, to }: SkippedRange): Room {
  const oldest = room.messages[0]?.seq ?? to;
  const unknown = cut([{ from, to }], 0, Math.max(oldest, room.syncedSeq));
  const added = cutKnown(unknown, room.messages);
  return {
    ...room,
    skipped: joined(room.skipped, added),
    lastSeq: Math.max(room.lastSeq, to),
  };
}

/** Everything up to `seq` is known now, and what follows without a gap, sent to us or not. */
export function syncedUpTo(room: Room, seq: number): Room {
  let syncedSeq = overSkipped(room.skipped, Math.max(room.syncedSeq, seq));
  const known = room.messages.findLastIndex((message) => message.seq <= syncedSeq);
  for (const message of room.messages.slice(known + 1)) {
    if (message.seq === syncedSeq + 1) {
      syncedSeq = overSkipped(room.skipped, message.seq);
    }
  }
  return { ...room, syncedSeq, lastSeq: Math.max(room.lastSeq, syncedSeq) };
}

/** The newest message before which nothing is missing: catching up starts here. */
export function lastSynced(room: Room): ChatMessage | undefined {
  return room.messages.findLast(({ seq }) => seq <= room.syncedSeq);
}

/** The server reports that messages up to `seq` exist. */
export function raised(room: Room, seq: number): Room {
  if (seq <= room.lastSeq) {
    return room;
  }
  return room.history === "untouched"
    ? { ...room, lastSeq: seq, unreadElsewhere: room.unreadElsewhere + seq - room.lastSeq }
    : { ...room, lastSeq: seq, mustCatchUp: room.mustCatchUp || room.history === "ready" };
}

/** The number of other members' unseen messages. */
export function unreadIn(room: Room, memberId: string): number {
  const { unreadElsewhere, messages, skipped, lastReadSeq } = room;
  return (
    unreadElsewhere + unseen(messages, lastReadSeq, memberId) + skippedAfter(skipped, lastReadSeq)
  );
}

/** The number of `messages`, ordered by `seq`, that are by others and unread. */
export function unseen(
  messages: readonly ChatMessage[],
  lastReadSeq: number,
  memberId: string,
): number {
  const read = messages.findLastIndex(({ seq }) => seq <= lastReadSeq);
  return messages.slice(read + 1).filter(({ userId }) => userId !== memberId).length;
}

/** The own message to send next: refused ones are skipped. */
export function nextPending(room: Room): Pending | undefined {
  return room.pending.find(({ status }) => status !== "failed");
}

export function without<Item>(
  items: readonly Item[],
  isOut: (item: Item) => boolean,
): readonly Item[] {
  return items.some(isOut) ? items.filter((item) => !isOut(item)) : items;
}
