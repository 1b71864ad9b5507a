import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { keys } from "@/api/query-keys";

/** All badges: the member's own, and the progress of the others. */
export function badgesQuery(userId: string) {
  return queryOptions({
    queryKey: keys.badges(userId),
    queryFn: async ({ signal }) =>
      (await get("/api/v1/badges/{user_id}", { inPath: { user_id: userId }, signal })).data,
  });
}
