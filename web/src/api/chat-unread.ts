import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { keys } from "@/api/query-keys";
import type { RoomState } from "@/api/wire";

const STALE_TIME_MS = 60_000;

/** The server stops counting here: this many and more. */
const MAX_COUNTED = 99;

export type UnreadRoom = Pick<RoomState, "club" | "unread" | "lastSeq">;

/** The number of unread messages by room; refetched by the shell when a room moves. */
export function chatUnreadQuery(userId: string) {
  return queryOptions({
    queryKey: keys.chatUnread(userId),
    queryFn: async ({ signal }): Promise<UnreadRoom[]> =>
      (await get("/api/v1/chat-unread", { signal })).data.rooms,
    staleTime: STALE_TIME_MS,
  });
}

/** The badge's number: "99+" above the limit, null for none. */
export function unreadText(rooms: readonly UnreadRoom[]): string | null {
  if (isFull(rooms)) {
    return `${MAX_COUNTED}+`;
  }
  return countIn(rooms) === 0 ? null : String(countIn(rooms));
}

/** Whether more messages would not change the badge. */
export function isFull(rooms: readonly UnreadRoom[]): boolean {
  return countIn(rooms) > MAX_COUNTED;
}

function countIn(rooms: readonly UnreadRoom[]): number {
  return rooms.reduce((sum, room) => sum + room.unread, 0);
}
