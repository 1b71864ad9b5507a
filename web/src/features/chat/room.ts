import type { ChatMessage, Quote } from "@/features/chat/events";

/** A message of the member's own that the server has not taken yet. */
export interface Pending {
  clientId: string;
  text: string;
  typedAtMs: number;
  /** Waiting for its turn or the network, on its way, or refused. */
  status: "waiting" | "sending" | "failed";
  /** The server's sentence about a refusal. */
  refusal: string;
  /** What it answers. */
  replyTo: Quote | null;
  /** The server refused it because what it answers is gone. */
  hasLostQuote: boolean;
  /** Ids of members that it names. */
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
  /** The last change put messages before the others, or let the oldest go. */
  startMoved: boolean;
  lastReadSeq: number;
  /** The newest message that is known to exist. */
  lastSeq: number;
  /** Up to here nothing is missing. */
  syncedSeq: number;
  /** A connection was lost since the last complete page, or a number was skipped. */
  mustCatchUp: boolean;
  /** Unread messages that are not loaded. */
  unreadElsewhere: number;
  /** The line "New messages" stands behind this one; null for no line. */
  newAfterSeq: number | null;
  /** The server asked for a pause in sending until then. */
  heldUntilMs: number;
  /** Messages that were taken away lately: what quotes them may be told after that. */
  hiddenIds: readonly string[];
  /** Something was done with these messages, and nobody has heard whether it was. */
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
  newAfterSeq: null,
  heldUntilMs: 0,
  hiddenIds: [],
  unsettledIds: [],
};

/** The room with these messages in their places; the same room when it knows all of them. */
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
    lastSeq: Math.max(room.lastSeq, messages.at(-1)?.seq ?? 0),
  };
}

/** A message as its quote is now: what was taken away has no words. */
function quoting(message: ChatMessage, hiddenIds: readonly string[]): ChatMessage {
  const { replyTo } = message;
  return replyTo !== null && replyTo.excerpt !== null && hiddenIds.includes(replyTo.id)
    ? { ...message, replyTo: { ...replyTo, excerpt: null } }
    : message;
}

const MAX_HIDDEN = 200;

/** The room without a message, and without its words in what answers it. */
export function withoutMessage(room: Room, hiddenId: string): Room {
  const hiddenIds = [...room.hiddenIds, hiddenId].slice(-MAX_HIDDEN);
  const left = without(room.messages, ({ id }) => id === hiddenId);
  const isQuoted = left.some(({ replyTo }) => replyTo?.id === hiddenId);
  const messages = isQuoted ? left.map((message) => quoting(message, hiddenIds)) : left;
  return { ...room, messages, hiddenIds };
}

/** The room with another state of a message that it knows. */
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

/** The room once it is known what became of a message: as `page`, read around it, has it. */
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

/** A room keeps this many of its newest messages; what is older is read again on scrolling back. */
const MAX_STORED = 500;
/** So many more may gather first: the list is cut seldom. */
const CUT_AFTER = 100;

/** The room without its oldest messages once there are many; the same room until then. */
export function bounded(room: Room, memberId: string): Room {
  const surplus = room.messages.length - MAX_STORED;
  if (surplus <= CUT_AFTER || room.older === "loading") {
    return room;
  }
  const unloaded = unseen(room.messages.slice(0, surplus), room.lastReadSeq, memberId);
  return {
    ...room,
    messages: room.messages.slice(surplus),
    hasOlder: true,
    unreadElsewhere: room.unreadElsewhere + unloaded,
  };
}

/** Everything up to `seq` is known now, and from there what follows without a gap. */
export function syncedUpTo(room: Room, seq: number): Room {
  let syncedSeq = Math.max(room.syncedSeq, seq);
  const known = room.messages.findLastIndex((message) => message.seq <= syncedSeq);
  for (const message of room.messages.slice(known + 1)) {
    if (message.seq === syncedSeq + 1) {
      syncedSeq = message.seq;
    }
  }
  return { ...room, syncedSeq, lastSeq: Math.max(room.lastSeq, syncedSeq) };
}

/** The newest message before which nothing is missing: where catching up begins. */
export function lastSynced(room: Room): ChatMessage | undefined {
  return room.messages.findLast(({ seq }) => seq <= room.syncedSeq);
}

/** The server says that messages up to `seq` exist. */
export function raised(room: Room, seq: number): Room {
  if (seq <= room.lastSeq) {
    return room;
  }
  return room.history === "untouched"
    ? { ...room, lastSeq: seq, unreadElsewhere: room.unreadElsewhere + seq - room.lastSeq }
    : { ...room, lastSeq: seq, mustCatchUp: room.mustCatchUp || room.history === "ready" };
}

/** How many messages of others the member has not seen. */
export function unreadIn(room: Room, memberId: string): number {
  return room.unreadElsewhere + unseen(room.messages, room.lastReadSeq, memberId);
}

/** How many of `messages`, ordered by `seq`, are of others and not read. */
export function unseen(
  messages: readonly ChatMessage[],
  lastReadSeq: number,
  memberId: string,
): number {
  const read = messages.findLastIndex(({ seq }) => seq <= lastReadSeq);
  return messages.slice(read + 1).filter(({ userId }) => userId !== memberId).length;
}

/** The message of one's own that goes out next: refused ones are passed over. */
export function nextPending(room: Room): Pending | undefined {
  return room.pending.find(({ status }) => status !== "failed");
}

export function without<Item>(
  items: readonly Item[],
  isOut: (item: Item) => boolean,
): readonly Item[] {
  return items.some(isOut) ? items.filter((item) => !isOut(item)) : items;
}
