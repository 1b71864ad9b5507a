import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { keys } from "@/api/query-keys";

/** The ranks of the season, lowest first. */
export const ranksQuery = queryOptions({
  queryKey: keys.ranks,
  queryFn: async ({ signal }) => (await get("/api/v1/battlezone-rank-config", { signal })).data,
});
