import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { get, post, put } from "@/api/client";
import { keys } from "@/api/query-keys";
import type { Notification, Switches } from "@/api/wire";

const AT_ONCE = 20;

/** What the member was told, newest first, a page at a time. */
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

/** Note that one notification is read, or all; returns how many are not. */
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

/** Of what the member wants mail. */
export function mailSwitchesQuery(userId: string) {
  return queryOptions({
    queryKey: keys.notificationSettings(userId),
    queryFn: async ({ signal }): Promise<Switches> =>
      (await get("/api/v1/notifications/settings", { signal })).data.mail,
  });
}

/** Choose of what the member wants mail. */
export async function chooseMail(mail: Switches): Promise<Switches> {
  return (await put("/api/v1/notifications/settings", { mail })).data.mail;
}
