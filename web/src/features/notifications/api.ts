import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { get, post, put } from "@/api/client";
import { keys } from "@/api/query-keys";
import type { Notification, NotificationSettings } from "@/api/wire";

const AT_ONCE = 20;

/** The member's notifications, newest first, one page at a time. */
export function notificationsQuery(userId: string) {
  return infiniteQueryOptions({
    queryKey: keys.notifications(userId),
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }): Promise<Notification[]> => {
      const inQuery = { limit: AT_ONCE, before: pageParam || undefined };
      return (await get("/api/v1/notifications", { inQuery, signal })).data.rows;
    },
    getNextPageParam: (rows) => (rows.length < AT_ONCE ? undefined : rows.at(-1)?.id),
    staleTime: 0,
  });
}

/** Mark one notification, or all, as read; returns the number of unread ones. */
export async function markRead(notificationId: string | "all"): Promise<number> {
  const answer =
    notificationId === "all"
      ? await post("/api/v1/notifications/read-all", null)
      : await post("/api/v1/notifications/{notification_id}/read", null, {
          inPath: { notification_id: notificationId },
          keepalive: true,
        });
  return answer.data.unread;
}

/** The member's mail and push preferences. */
export function settingsQuery(userId: string) {
  return queryOptions({
    queryKey: keys.notificationSettings(userId),
    queryFn: async ({ signal }): Promise<NotificationSettings> =>
      (await get("/api/v1/notifications/settings", { signal })).data,
  });
}

/** Change the member's mail and push preferences. */
export async function chooseSettings(
  settings: NotificationSettings,
): Promise<NotificationSettings> {
  return (await put("/api/v1/notifications/settings", settings)).data;
}
