import type { ReactionKey } from "@/api/wire";
import { type Counts, readCounts, readReactionKey } from "@/features/chat/reactions";
import type { SkippedRange } from "@/features/chat/skipped";
import { isRecord } from "@/lib/device/storage";
import { numberIn, textIn } from "@/lib/live/socket-events";

/** The quoted message, as it was when it was read. */
export interface Quote {
  id: string;
  userId: string;
  lastName: string;
  firstName: string;
  /** Its first words; null once it was deleted. */
  excerpt: string | null;
}

/** A stored message; `seq` counts the messages of its room. */
export interface ChatMessage {
  id: string;
  seq: number;
  /** The id chosen by its sender, which identifies a retry. */
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
  /** The ids of mentioned members. */
  mentions: readonly string[];
  counts: Counts;
  /** The member's own reaction. */
  mine: ReactionKey | null;
}

export interface OnlineMember {
  id: string;
  firstName: string;
  lastName: string;
  avatar: string | null;
}

/**
 * The members online by room name, their number, the newest message of each room, and the seconds
 * between two messages of a member: 0 without slow mode.
 */
export interface UserList {
  membersOf: (club: string) => OnlineMember[];
  countOf: (club: string) => number | null;
  lastOf: (club: string) => number;
  slowOf: (club: string) => number;
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

/** All current reactions to a message. */
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

/** Messages that were not sent to this phone. */
export function readSkipped(value: unknown): (SkippedRange & { club: string }) | null {
  return isRecord(value) && typeof value["from"] === "number" && typeof value["to"] === "number"
    ? { club: textIn(value, "club"), from: value["from"], to: value["to"] }
    : null;
}

export function readUserList(value: unknown): UserList {
  const fields = isRecord(value) ? value : {};
  const counts = isRecord(fields["counts"]) ? fields["counts"] : {};
  const last = isRecord(fields["last"]) ? fields["last"] : {};
  const slow = isRecord(fields["slow"]) ? fields["slow"] : {};
  return {
    membersOf: (club) => readMembers(fields[club]),
    countOf: (club) => (typeof counts[club] === "number" ? counts[club] : null),
    lastOf: (club) => numberIn(last, club),
    slowOf: (club) => numberIn(slow, club),
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
