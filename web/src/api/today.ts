import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { rememberMember } from "@/api/member";
import { keys, type Player } from "@/api/query-keys";
import type { Tile, Today } from "@/api/wire";
import { serverNowMs, setServerClock } from "@/lib/live/server-clock";

const REFETCH_DELAY_MS = 1000;
const MIN_REFETCH_INTERVAL_MS = 15_000;
const MAX_WAIT_MS = 3_600_000;

/** The member's day: possible actions, the first of them, and their standing. */
export function todayQuery({ id, club }: Player) {
  return queryOptions({
    queryKey: keys.today({ id, club }),
    queryFn: async ({ signal }): Promise<Today> => {
      const { data } = await get("/api/v1/today", { signal });
      setServerClock(data.serverNow);
      rememberMember(id, { badge: data.me.badge });
      return data;
    },
    refetchInterval: ({ state: { data } }) =>
      data === undefined ? false : untilChangeMs(data, serverNowMs()),
  });
}

/** How long a day stays fresh: until its next change by the server's clock, an hour at most. */
export function untilChangeMs(today: Today, nowMs: number): number {
  const servedAtMs = Date.parse(today.serverNow);
  const moments = [today.nextDayAt, today.action.until, today.nextMatch?.kickOffAt]
    .concat(today.doors.flatMap(momentsOf))
    .map((moment) => Date.parse(moment ?? ""))
    .filter((momentMs) => momentMs > servedAtMs);
  const next = Math.min(...moments);
  return next > nowMs
    ? Math.min(next - nowMs + REFETCH_DELAY_MS, MAX_WAIT_MS)
    : MIN_REFETCH_INTERVAL_MS;
}

function momentsOf(door: Tile): (string | null | undefined)[] {
  switch (door.kind) {
    case "quest":
      return [door.nextAt];
    case "battle":
      return [door.nextAt, door.opensAt];
    case "predict":
      return [door.closesAt];
    case "club_battle":
      return [];
  }
}
