import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import type { RoomStanding } from "@/api/wire";

const ASKED_AGAIN_AFTER_MS = 60_000;

/** The server counts no further: so many and more. */
const MOST_COUNTED = 99;

export type UnreadRoom = Pick<RoomStanding, "club" | "unread">;

export const chatUnreadKey = (userId: string) => ["chat-unread", userId] as const;

/** How many messages wait for the member in each room; asked at most once a minute. */
export function chatUnreadQuery(userId: string) {
  return queryOptions({
    queryKey: chatUnreadKey(userId),
    queryFn: async ({ signal }): Promise<UnreadRoom[]> =>
      (await get("/api/v1/chat-unread", { signal })).data.rooms,
    staleTime: ASKED_AGAIN_AFTER_MS,
  });
}

/** The number on the badge: "99+" stands for more than are counted, null for none. */
export function unreadText(rooms: readonly UnreadRoom[]): string | null {
  const unread = rooms.reduce((sum, room) => sum + room.unread, 0);
  if (unread === 0) {
    return null;
  }
  return unread > MOST_COUNTED ? `${MOST_COUNTED}+` : String(unread);
}
