import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { keys } from "@/api/query-keys";

/** All clubs with their crests and colours; no token needed. */
export const clubsQuery = queryOptions({
  queryKey: keys.clubs,
  queryFn: async ({ signal }) => (await get("/api/v1/clubs", { asMember: false, signal })).data,
  staleTime: 10 * 60_000,
});
