import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import type { Statistics } from "@/api/wire";
import { ApiError } from "@/lib/api-error";

/** The member's ranking and the club's leader board. */
export function statisticsQuery(userId: string) {
  return queryOptions({
    queryKey: ["dashboard", userId, "statistics"],
    queryFn: async ({ signal }) => {
      const path = `/api/v1/dashboard/statistics/${encodeURIComponent(userId)}`;
      return (await get<Statistics>(path, { signal })).data;
    },
  });
}

/** What the dashboard says when the statistics did not come (spec 8). */
export function statisticsError(error: Error): string {
  return error instanceof ApiError
    ? `HTTP error! Status: ${error.status}, Message: ${error.statusText || error.message}`
    : error.message;
}
