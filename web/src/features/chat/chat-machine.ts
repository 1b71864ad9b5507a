import type { ChatMessage, OnlineMember, UserList } from "@/features/chat/events";
import {
  emptyRoom,
  type Pending,
  type Room,
  syncedUpTo,
  unreadIn,
  unseen,
  withMessages,
  without,
} from "@/features/chat/room";

/** The rooms of a member: the club's own, and the one for everybody. */
export const TABS = ["club", "public"] as const;
export type Tab = (typeof TABS)[number];

/** The way to the server, from joining to a burst of tries that came to nothing. */
export type Link = "joining" | "join-failed" | "opening" | "open" | "closed";

interface Me {
  id: string;
  firstName: string;
  lastName: string;
  avatar: string | null;
}

export interface ChatState {
  me: Me;
  link: Link;
  tab: Tab;
  /** The end of the open tab is on screen and somebody looks at it. */
  isAttended: boolean;
  rooms: Record<Tab, Room>;
  members: Record<Tab, readonly OnlineMember[]>;
  /** How many are here; null until the server has said it. */
  counts: Record<Tab, number | null>;
  /** The newest message of somebody else that came in live: what a screen reader is told. */
  arrival: { tab: Tab; message: ChatMessage } | null;
}

interface Standing {
  unread: number;
  lastReadSeq: number;
  lastSeq: number;
}

/** What happens in one room. */
export type RoomAction =
  | { type: "joined"; standing: Standing }
  | { type: "history-asked" }
  | { type: "history"; messages: ChatMessage[]; hasOlder: boolean; upToSeq: number }
  | { type: "history-failed" }
  | { type: "older-asked" }
  | { type: "older"; messages: ChatMessage[]; hasOlder: boolean }
  | { type: "older-failed" }
  | { type: "caught-up"; messages: ChatMessage[]; isComplete: boolean; upToSeq: number }
  | { type: "arrived"; message: ChatMessage }
  | { type: "hidden"; id: string }
  | { type: "typed"; clientId: string; text: string; typedAtMs: number }
  | { type: "handed-over"; clientId: string }
  | { type: "stored"; clientId: string; id: string; seq: number; timeMs: number; club: string }
  | { type: "held"; clientId: string; untilMs: number }
  | { type: "hold-over" }
  | { type: "refused"; clientId: string; sentence: string }
  | { type: "lost"; clientId: string }
  | { type: "retry"; clientId: string }
  | { type: "discard"; clientId: string };

export type ChatAction =
  | (RoomAction & { tab: Tab })
  | { type: "link"; link: Link }
  | { type: "tab"; tab: Tab }
  | { type: "attended"; isAttended: boolean }
  | { type: "users"; list: UserList; names: Record<Tab, string> };

/** A chat that nothing has been heard of, with what was waiting to be sent before a reload. */
export function silentChat(me: Me, waiting: Record<Tab, readonly Pending[]>): ChatState {
  return {
    me,
    link: "joining",
    tab: "club",
    isAttended: false,
    rooms: {
      club: { ...emptyRoom, pending: waiting.club },
      public: { ...emptyRoom, pending: waiting.public },
    },
    members: { club: [], public: [] },
    counts: { club: null, public: null },
    arrival: null,
  };
}

/** All that the chat screen knows, after one more thing has happened; what comes twice counts once. */
export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  return attended(step(state, action));
}

function step(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case "link":
      return linked(state, action.link);
    case "tab":
      return opened(state, action.tab);
    case "attended":
      return attending(state, action.isAttended);
    case "users":
      return counted(state, action.list, action.names);
    default: {
      const before = state.rooms[action.tab];
      const after = lined(before, roomReducer(before, action, state.me), action, state);
      const next = withRoom(state, action.tab, grown(after, action.type === "older"));
      return action.type === "arrived" ? announced(next, action, before) : next;
    }
  }
}

function grown(room: Room, grewAtStart: boolean): Room {
  return room.grewAtStart === grewAtStart ? room : { ...room, grewAtStart };
}

function withRoom(state: ChatState, tab: Tab, room: Room): ChatState {
  return room === state.rooms[tab] ? state : { ...state, rooms: { ...state.rooms, [tab]: room } };
}

function mapRooms(state: ChatState, change: (room: Room, tab: Tab) => Room): ChatState {
  return TABS.reduce((next, tab) => withRoom(next, tab, change(next.rooms[tab], tab)), state);
}

/**
 * Without a line nothing is on its way; with a new one, something may have been missed.
 *
 * What did not load is asked for once more by every new line.
 */
function linked(state: ChatState, link: Link): ChatState {
  const rooms = mapRooms(state, (room) => ({
    ...room,
    pending: room.pending.map((entry) =>
      entry.status === "sending" ? { ...entry, status: "waiting" } : entry,
    ),
    mustCatchUp: room.mustCatchUp || (link === "open" && room.history === "ready"),
    history: link === "open" && room.history === "failed" ? "untouched" : room.history,
  }));
  return { ...rooms, link };
}

function opened(state: ChatState, tab: Tab): ChatState {
  if (tab === state.tab) {
    return state;
  }
  const left = withRoom(state, state.tab, { ...state.rooms[state.tab], newAfterSeq: null });
  return { ...left, tab, isAttended: false };
}

/** Whoever comes back to unread messages finds the line before them. */
function attending(state: ChatState, isAttended: boolean): ChatState {
  const room = state.rooms[state.tab];
  const comesBack = isAttended && !state.isAttended && unreadIn(room, state.me.id) > 0;
  const marked = comesBack ? { ...room, newAfterSeq: room.lastReadSeq } : room;
  return { ...withRoom(state, state.tab, marked), isAttended };
}

function counted(state: ChatState, list: UserList, names: Record<Tab, string>): ChatState {
  const seen = mapRooms(state, (room, tab) => raised(room, list.lastOf(names[tab])));
  return {
    ...seen,
    members: { club: list.membersOf(names.club), public: list.membersOf(names.public) },
    counts: { club: list.countOf(names.club), public: list.countOf(names.public) },
  };
}

/** The server says that messages up to `seq` exist. */
function raised(room: Room, seq: number): Room {
  if (seq <= room.lastSeq) {
    return room;
  }
  return room.history === "untouched"
    ? { ...room, lastSeq: seq, unreadElsewhere: room.unreadElsewhere + seq - room.lastSeq }
    : { ...room, lastSeq: seq, mustCatchUp: room.mustCatchUp || room.history === "ready" };
}

/** What the member looks at is read. */
function attended(state: ChatState): ChatState {
  const room = state.rooms[state.tab];
  const lastSeq = room.messages.at(-1)?.seq ?? 0;
  if (!state.isAttended || room.history !== "ready") {
    return state;
  }
  if (room.lastReadSeq >= lastSeq && room.unreadElsewhere === 0) {
    return state;
  }
  const lastReadSeq = Math.max(room.lastReadSeq, lastSeq);
  return withRoom(state, state.tab, { ...room, lastReadSeq, unreadElsewhere: 0 });
}

/**
 * Draw the line "New messages" where unread ones begin, unless the member looks on.
 *
 * A line that stands stays: whoever reads back would see everything below it jump.
 */
function lined(before: Room, after: Room, action: RoomAction & { tab: Tab }, state: ChatState) {
  const { id } = state.me;
  const looksOn = state.isAttended && state.tab === action.tab;
  const begins = action.type === "history" || unreadIn(before, id) === 0;
  const isDrawn = after.newAfterSeq !== null || looksOn || after.history !== "ready";
  return begins && !isDrawn && unreadIn(after, id) > 0
    ? { ...after, newAfterSeq: after.lastReadSeq }
    : after;
}

function announced(
  state: ChatState,
  { tab, message }: { tab: Tab; message: ChatMessage },
  before: Room,
): ChatState {
  const isNews = message.userId !== state.me.id && message.seq > before.lastSeq;
  return isNews ? { ...state, arrival: { tab, message } } : state;
}

function roomReducer(room: Room, action: RoomAction, me: Me): Room {
  switch (action.type) {
    case "joined":
      return joined(room, action.standing);
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
    case "hidden":
      return { ...room, messages: without(room.messages, ({ id }) => id === action.id) };
    default:
      return outgoing(room, action, me);
  }
}

function joined(room: Room, { unread, lastReadSeq, lastSeq }: Standing): Room {
  if (room.history === "ready") {
    return raised({ ...room, lastReadSeq: Math.max(room.lastReadSeq, lastReadSeq) }, lastSeq);
  }
  return { ...room, unreadElsewhere: unread, lastReadSeq, lastSeq };
}

type Of<Type extends RoomAction["type"]> = Extract<RoomAction, { type: Type }>;

/** Take the newest page: it joins what is loaded, or, far ahead of it, the room begins anew. */
function firstPage(room: Room, page: Of<"history">, memberId: string): Room {
  const oldest = page.messages[0]?.seq ?? 0;
  const newest = page.messages.at(-1)?.seq ?? 0;
  const joins = room.history === "ready" && oldest <= room.syncedSeq + 1;
  const kept = joins ? room.messages : without(room.messages, ({ seq }) => seq <= newest);
  const hasOlder = joins ? room.hasOlder : page.hasOlder;
  const filled = withMessages({ ...room, messages: kept, hasOlder }, page.messages);
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

/** How many unread messages lie before a page: of those that were counted, or are known to exist. */
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
  const synced = syncedUpTo(withMessages(room, page.messages), upTo);
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
  return filled === room ? room : withoutGap(filled);
}

/** What follows without a gap is complete; a gap has to be filled. */
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
  | "discard"
>;

/** What becomes of the member's own messages. */
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
      };
    case "hold-over":
      return { ...room, heldUntilMs: 0 };
    case "refused":
      return marked(room, action.clientId, { status: "failed", refusal: action.sentence });
    case "lost":
    case "retry":
      return marked(room, action.clientId, { status: "waiting", refusal: "" });
    case "discard":
      return {
        ...room,
        pending: without(room.pending, ({ clientId }) => clientId === action.clientId),
      };
  }
}

function typed(room: Room, { clientId, text, typedAtMs }: Of<"typed">): Room {
  const entry: Pending = { clientId, text, typedAtMs, status: "waiting", refusal: "" };
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

/** The server has taken a message: it moves from the queue to its place. */
function stored(room: Room, { clientId, id, seq, timeMs, club }: Of<"stored">, me: Me): Room {
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
  };
  return arrived(room, message, me.id);
}
