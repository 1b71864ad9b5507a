import type { ChatMessage, OnlineMember, UserList } from "@/features/chat/events";
import {
  bounded,
  emptyRoom,
  type Pending,
  type Room,
  raised,
  unreadIn,
} from "@/features/chat/room";
import { type Me, type RoomAction, roomReducer } from "@/features/chat/room-reducer";

/** The rooms of a member: the club's own, and the public one. */
export const TABS = ["club", "public"] as const;
export type Tab = (typeof TABS)[number];

/** The connection state, from joining to failed retries, or to a ban. */
export type Link = "joining" | "join-failed" | "opening" | "open" | "closed" | "banned";

export interface ChatState {
  me: Me;
  link: Link;
  /** An ISO time: the end of a ban; null until further notice. */
  bannedUntil: string | null;
  tab: Tab;
  /** The end of the open tab is on screen and the page is visible. */
  isAttended: boolean;
  /** The end of the open tab is on screen, whether the page is visible or not. */
  isAtEnd: boolean;
  rooms: Record<Tab, Room>;
  members: Record<Tab, readonly OnlineMember[]>;
  /** The number of members online; null until the server has sent it. */
  counts: Record<Tab, number | null>;
  /** The newest live message of another member, for screen readers. */
  arrival: { tab: Tab; message: ChatMessage } | null;
}

export type ChatAction =
  | (RoomAction & { tab: Tab })
  | { type: "link"; link: Exclude<Link, "banned"> }
  | { type: "banned"; until: string | null }
  | { type: "tab"; tab: Tab }
  | { type: "attended"; isAttended: boolean; isAtEnd: boolean }
  | { type: "users"; list: UserList; names: Record<Tab, string> };

/** An initial chat state, with the messages queued before a reload. */
export function silentChat(me: Me, waiting: Record<Tab, readonly Pending[]>): ChatState {
  return {
    me,
    link: "joining",
    bannedUntil: null,
    tab: "club",
    isAttended: false,
    isAtEnd: false,
    rooms: {
      club: { ...emptyRoom, pending: waiting.club },
      public: { ...emptyRoom, pending: waiting.public },
    },
    members: { club: [], public: [] },
    counts: { club: null, public: null },
    arrival: null,
  };
}

/** The reducer of the chat screen; repeated events have no effect. */
export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  return attended(step(state, action));
}

function step(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case "link":
      return linked(state, action.link);
    case "banned":
      return { ...linked(state, "banned"), bannedUntil: action.until };
    case "tab":
      return opened(state, action.tab);
    case "attended":
      return { ...attending(state, action.isAttended), isAtEnd: action.isAtEnd };
    case "users":
      return counted(state, action.list, action.names);
    default: {
      const before = state.rooms[action.tab];
      const after = lined(before, roomReducer(before, action, state.me), action, state);
      const kept = isReadBack(state, action) ? after : bounded(after, state.me.id);
      const startMoved = ADDED_ABOVE.includes(action.type) || kept !== after;
      const next = withRoom(state, action.tab, movedAtStart(kept, startMoved));
      return action.type === "arrived" ? announced(next, action, before) : next;
    }
  }
}

/** They add messages above those on screen. */
const ADDED_ABOVE: readonly RoomAction["type"][] = ["older", "skipped-read"];

/** Whether older messages of this room may be on screen: then all are kept. */
function isReadBack({ tab, isAtEnd }: ChatState, action: RoomAction & { tab: Tab }): boolean {
  return ADDED_ABOVE.includes(action.type) || (action.tab === tab && !isAtEnd);
}

function movedAtStart(room: Room, startMoved: boolean): Room {
  return room.startMoved === startMoved ? room : { ...room, startMoved };
}

function withRoom(state: ChatState, tab: Tab, room: Room): ChatState {
  return room === state.rooms[tab] ? state : { ...state, rooms: { ...state.rooms, [tab]: room } };
}

function mapRooms(state: ChatState, change: (room: Room, tab: Tab) => Room): ChatState {
  return TABS.reduce((next, tab) => withRoom(next, tab, change(next.rooms[tab], tab)), state);
}

/**
 * Without a connection nothing is in flight; with a new one, messages may have been missed.
 *
 * Failed loads are retried by every new connection.
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
  return { ...left, tab, isAttended: false, isAtEnd: false };
}

/** On return to unread messages, the line stands before them. */
function attending(state: ChatState, isAttended: boolean): ChatState {
  const room = state.rooms[state.tab];
  const comesBack = isAttended && !state.isAttended && unreadIn(room, state.me.id) > 0;
  const marked = comesBack ? { ...room, newAfterSeq: room.lastReadSeq } : room;
  return { ...withRoom(state, state.tab, marked), isAttended };
}

function counted(state: ChatState, list: UserList, names: Record<Tab, string>): ChatState {
  const seen = mapRooms(state, (room, tab) =>
    slowed(raised(room, list.lastOf(names[tab])), list.slowOf(names[tab])),
  );
  return {
    ...seen,
    members: { club: list.membersOf(names.club), public: list.membersOf(names.public) },
    counts: { club: list.countOf(names.club), public: list.countOf(names.public) },
  };
}

function slowed(room: Room, slowSeconds: number): Room {
  return room.slowSeconds === slowSeconds ? room : { ...room, slowSeconds };
}

/** Visible messages are read, with those before them, and those that were only counted. */
function attended(state: ChatState): ChatState {
  const room = state.rooms[state.tab];
  const lastSeq = Math.max(room.messages.at(-1)?.seq ?? 0, room.skipped.at(-1)?.to ?? 0);
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
 * Draw the line "New messages" before the first unread one, unless the member is looking.
 *
 * An existing line stays: moving it would shift everything below it.
 */
function lined(before: Room, after: Room, action: RoomAction & { tab: Tab }, state: ChatState) {
  const { id } = state.me;
  const isAttending = state.isAttended && state.tab === action.tab;
  const begins = action.type === "history" || unreadIn(before, id) === 0;
  const isDrawn = after.newAfterSeq !== null || isAttending || after.history !== "ready";
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
