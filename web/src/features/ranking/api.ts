import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { keys } from "@/api/query-keys";
import type { BoardPeriod, BoardScope } from "@/api/wire";
import { Refusal } from "@/lib/live/failures";

const ENTRIES_AT_ONCE = 20;

export interface BoardChoice {
  scope: BoardScope;
  period: BoardPeriod;
  page: number;
}

/** One page of a leader board; the previous one stays while another loads. */
export function boardQuery(userId: string, choice: BoardChoice) {
  return queryOptions({
    queryKey: keys.board(userId, choice),
    queryFn: async ({ signal }) =>
      (await get("/api/v1/leaderboard", { inQuery: choice, signal })).data,
    placeholderData: keepPreviousData,
  });
}

/** Every award of points, newest first, one page of entries at a time. */
export function pointsQuery(userId: string) {
  return infiniteQueryOptions({
    queryKey: keys.points(userId),
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const inPath = { user_id: userId };
      const inQuery = { limit: ENTRIES_AT_ONCE, before: pageParam || undefined };
      return (await get("/api/v1/points/{user_id}", { inPath, inQuery, signal })).data;
    },
    getNextPageParam: (rows) => (rows.length < ENTRIES_AT_ONCE ? undefined : rows.at(-1)?.id),
  });
}

/** The dashboard's error when statistics fail to load: spec 8, if the server refused. */
export function statisticsError(error: Error): string {
  return error instanceof Refusal
    ? `HTTP error! Status: ${error.status}, Message: ${error.statusText || error.message}`
    : error.message;
}
