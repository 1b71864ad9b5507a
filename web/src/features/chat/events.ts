import { numberIn, textIn } from "@/lib/socket-events";
import { isRecord } from "@/lib/storage";

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
  };
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
