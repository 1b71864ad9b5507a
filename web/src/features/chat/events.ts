import type { ReactionKey } from "@/api/wire";
import { type Counts, readCounts, readReactionKey } from "@/features/chat/reactions";
import { numberIn, textIn } from "@/lib/socket-events";
import { isRecord } from "@/lib/storage";

/** The message that another answers, as it was when that was read. */
export interface Quote {
  id: string;
  userId: string;
  lastName: string;
  firstName: string;
  /** How it begins; null once it was deleted. */
  excerpt: string | null;
}

/** A message as it was stored; `seq` counts the messages of its room. */
export interface ChatMessage {
  id: string;
  seq: number;
  /** The name that its sender gave it, by which a retry is known. */
  clientId: string | null;
  userId: string;
  /** The room's name on the wire: the club's, or "Public". */
  club: string;
  text: string;
  lastName: string;
  firstName: string;
  avatar: string | null;
  timeMs: number;
  replyTo: Quote | null;
  /** Ids of members that it names. */
  mentions: readonly string[];
  counts: Counts;
  /** What the member feels about it. */
  mine: ReactionKey | null;
}

export interface OnlineMember {
  id: string;
  firstName: string;
  lastName: string;
  avatar: string | null;
}

/** Who is here by room name, how many, and the newest message of each room. */
export interface UserList {
  membersOf: (club: string) => OnlineMember[];
  countOf: (club: string) => number | null;
  lastOf: (club: string) => number;
}

export function readMessage(value: unknown): ChatMessage | null {
  if (!isRecord(value) || typeof value["id"] !== "string" || typeof value["seq"] !== "number") {
    return null;
  }
  return {
    id: value["id"],
    seq: value["seq"],
    clientId: textIn(value, "client_id") || null,
    userId: textIn(value, "user_id"),
    club: textIn(value, "club"),
    text: textIn(value, "chat_message"),
    lastName: textIn(value, "lastname"),
    firstName: textIn(value, "firstname"),
    avatar: textIn(value, "avatar") || null,
    timeMs: numberIn(value, "time"),
    replyTo: readQuote(value["reply_to"]),
    mentions: readIds(value["mentions"]),
    counts: readCounts(value["reactions"]),
    mine: readReactionKey(value["mine"]),
  };
}

function readQuote(value: unknown): Quote | null {
  if (!isRecord(value) || typeof value["id"] !== "string") {
    return null;
  }
  return {
    id: value["id"],
    userId: textIn(value, "user_id"),
    lastName: textIn(value, "lastname"),
    firstName: textIn(value, "firstname"),
    excerpt: typeof value["excerpt"] === "string" ? value["excerpt"] : null,
  };
}

function readIds(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).filter((id) => typeof id === "string");
}

/** What everybody feels about a message now. */
export function readReactions(value: unknown): { id: string; club: string; counts: Counts } | null {
  return isRecord(value) && typeof value["id"] === "string"
    ? { id: value["id"], club: textIn(value, "club"), counts: readCounts(value["counts"]) }
    : null;
}

export function readHidden(value: unknown): { id: string; club: string } | null {
  return isRecord(value) && typeof value["id"] === "string"
    ? { id: value["id"], club: textIn(value, "club") }
    : null;
}

export function readUserList(value: unknown): UserList {
  const fields = isRecord(value) ? value : {};
  const counts = isRecord(fields["counts"]) ? fields["counts"] : {};
  const last = isRecord(fields["last"]) ? fields["last"] : {};
  return {
    membersOf: (club) => readMembers(fields[club]),
    countOf: (club) => (typeof counts[club] === "number" ? counts[club] : null),
    lastOf: (club) => numberIn(last, club),
  };
}

function readMembers(rows: unknown): OnlineMember[] {
  return (Array.isArray(rows) ? rows : []).filter(isRecord).map((row) => ({
    id: textIn(row, "id"),
    firstName: textIn(row, "firstName"),
    lastName: textIn(row, "lastName"),
    avatar: textIn(row, "avatar") || null,
  }));
}
