import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { keys } from "@/api/query-keys";

const STALE_TIME_MS = 60_000;

/** The number of unread notifications; the socket keeps it up to date. */
export function unreadNotificationsQuery(userId: string) {
  return queryOptions({
    queryKey: keys.unreadNotifications(userId),
    queryFn: async ({ signal }): Promise<number> =>
      (await get("/api/v1/notifications/unread", { signal })).data.unread,
    staleTime: STALE_TIME_MS,
  });
}

/** Set the number of unread notifications from the server; a fetch in progress is older. */
export async function setUnread(
  queryClient: QueryClient,
  userId: string,
  unread: number,
): Promise<void> {
  const queryKey = keys.unreadNotifications(userId);
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, unread);
}
