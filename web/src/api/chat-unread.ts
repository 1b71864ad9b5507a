import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { keys } from "@/api/query-keys";
import type { RoomStanding } from "@/api/wire";

const ASKED_AGAIN_AFTER_MS = 60_000;

/** The server counts no further: so many and more. */
const MAX_COUNTED = 99;

export type UnreadRoom = Pick<RoomStanding, "club" | "unread" | "lastSeq">;

/** How many messages wait for the member in each room; the shell asks anew when a room moves. */
export function chatUnreadQuery(userId: string) {
  return queryOptions({
    queryKey: keys.chatUnread(userId),
    queryFn: async ({ signal }): Promise<UnreadRoom[]> =>
      (await get("/api/v1/chat-unread", { signal })).data.rooms,
    staleTime: ASKED_AGAIN_AFTER_MS,
  });
}

/** The number on the badge: "99+" stands for more than are counted, null for none. */
export function unreadText(rooms: readonly UnreadRoom[]): string | null {
  if (isFull(rooms)) {
    return `${MAX_COUNTED}+`;
  }
  return countIn(rooms) === 0 ? null : String(countIn(rooms));
}

/** Whether the badge would look the same with more messages. */
export function isFull(rooms: readonly UnreadRoom[]): boolean {
  return countIn(rooms) > MAX_COUNTED;
}

function countIn(rooms: readonly UnreadRoom[]): number {
  return rooms.reduce((sum, room) => sum + room.unread, 0);
}
