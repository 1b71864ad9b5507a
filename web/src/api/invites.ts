import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { keys } from "@/api/query-keys";

/** The member's invite and its results; its link never changes. */
export function inviteQuery(userId: string) {
  return queryOptions({
    queryKey: keys.invite(userId),
    queryFn: async ({ signal }) => {
      const inPath = { user_id: userId };
      return (await get("/api/v1/invites/{user_id}", { inPath, signal })).data;
    },
  });
}
