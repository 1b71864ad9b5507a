import { get, post } from "@/api/client";
import type { ReportReason, RoomStanding } from "@/api/wire";
import { type ChatMessage, type OnlineMember, readMessage } from "@/features/chat/events";

/** What the first page of a room and every older one hold at most. */
export const PAGE_LENGTH = 50;
/** What one step of catching up holds at most; a full one means that there is more. */
export const CATCH_UP_LENGTH = 100;

export const PUBLIC_ROOM = "Public";

/** Join the club's room, and with it the public one; doing it again changes nothing. */
export async function joinChat(
  clubName: string,
  id: string,
  signal: AbortSignal,
): Promise<RoomStanding[]> {
  return (await post("/api/v1/join-chat", { clubName, id }, { signal })).data.rooms;
}

interface Cursor {
  before?: string;
  after?: string;
  limit?: number;
}

/** Messages of a room, the oldest first: the newest page, or what lies before or after one. */
export async function readMessages(
  club: string,
  cursor: Cursor,
  signal: AbortSignal,
): Promise<ChatMessage[]> {
  const { data } = await get("/api/v1/chat-messages/{club}", {
    inPath: { club },
    inQuery: cursor,
    signal,
  });
  return data.map(readMessage).filter((message) => message !== null);
}

/** Members whom a message may name: their names begin so, and they were here lately. */
export async function findPeople(
  club: string,
  q: string,
  signal: AbortSignal,
): Promise<OnlineMember[]> {
  const { data } = await get("/api/v1/chat-people/{club}", {
    inPath: { club },
    inQuery: { q },
    signal,
  });
  return data;
}

/** Show a message to the moderators; a second report of the same message is taken like the first. */
export async function reportMessage(messageId: string, reason: ReportReason): Promise<void> {
  await post("/api/v1/chat-reports", { messageId, reason });
}
