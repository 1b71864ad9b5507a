import { get, post } from "@/api/client";
import type { ReportReason, RoomState } from "@/api/wire";
import { type ChatMessage, type OnlineMember, readMessage } from "@/features/chat/events";

/** The maximum size of a room's first page and of every older one. */
export const PAGE_LENGTH = 50;
/** The page size when catching up; a full page means that there are more. */
export const CATCH_UP_LENGTH = 100;

export const PUBLIC_ROOM = "Public";

/** Join the club's room, and with it the public one; idempotent. */
export async function joinChat(
  clubName: string,
  id: string,
  signal: AbortSignal,
): Promise<RoomState[]> {
  return (await post("/api/v1/join-chat", { clubName, id }, { signal })).data.rooms;
}

interface Cursor {
  before?: string;
  after?: string;
  limit?: number;
}

/** Messages of a room, oldest first: the newest page, or the messages before or after one. */
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

/** Members to mention: active lately, with names that start with the text. */
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

/** Report a message to the moderators; a second report of the same message is also accepted. */
export async function reportMessage(messageId: string, reason: ReportReason): Promise<void> {
  await post("/api/v1/chat-reports", { messageId, reason });
}
