import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { ApiError } from "@/lib/api-error";

/** The member's ranking and the club's leader board. */
export function statisticsQuery(userId: string) {
  return queryOptions({
    queryKey: ["dashboard", userId, "statistics"],
    queryFn: async ({ signal }) => {
      const inPath = { user_id: userId };
      return (await get("/api/v1/dashboard/statistics/{user_id}", { inPath, signal })).data;
    },
  });
}

/** What the dashboard says when the statistics did not come (spec 8). */
export function statisticsError(error: Error): string {
  return error instanceof ApiError
    ? `HTTP error! Status: ${error.status}, Message: ${error.statusText || error.message}`
    : error.message;
}
