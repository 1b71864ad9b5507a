import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { keys } from "@/api/query-keys";
import { setServerClock } from "@/lib/live/server-clock";

/** The season: its dates, its limits and the server's clock; null if there is none. */
export const configQuery = queryOptions({
  queryKey: keys.season,
  queryFn: async ({ signal }) => {
    const { data } = await get("/api/v1/battle-ground-config", { signal });
    if (data !== null) {
      setServerClock(data.serverNow);
    }
    return data;
  },
});
