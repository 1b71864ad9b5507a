import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { get, getFile, put, remove } from "@/api/client";
import { keys, type Player } from "@/api/query-keys";
import type {
  BoardScope,
  CalendarDate,
  Competition,
  LeagueRow,
  Match,
  PredictionPeriod,
  PredictionRow,
} from "@/api/wire";
import { isBeingCounted, type Score } from "@/features/matchday/prediction-rules";
import { dayOf } from "@/lib/format/dates";
import { Refusal } from "@/lib/live/failures";
import { serverNowMs } from "@/lib/live/server-clock";

export type Whose = "club" | "all";
export type When = "fixtures" | "results";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The server's limit is 120 days per request. */
const DATES_DAYS = 118;
/** A page of matches: this many days have fewer than a hundred, which is the server's limit. */
const DAYS_AT_ONCE: Record<Whose, number> = { club: 59, all: 14 };
const FARTHEST_DAYS = 240;
const PAGE_LIMIT = 100;
const NOT_FOUND = 404;
const PREDICTIONS_AT_ONCE = 20;
/** The poll interval while points are being computed. */
const POLL_INTERVAL_MS = 3000;
/** The server's page size of a board. */
export const PAGE_OF_BOARD = 50;

/**
 * Matches from yesterday on, or from today back, some days per page: the own club's, or all.
 *
 * Within a page they are by kick-off, earliest first.
 */
export function matchesQuery(member: Player, whose: Whose, when: When) {
  const days = DAYS_AT_ONCE[whose];
  return infiniteQueryOptions({
    queryKey: keys.matches(member, whose, when),
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }): Promise<Match[]> => {
      const near = pageParam * days;
      const far = near + days - 1;
      const span = when === "fixtures" ? daysFrom(near - 1, far - 1) : daysFrom(-far, -near);
      const club = whose === "all" ? "all" : undefined;
      const inQuery = { ...span, club, limit: PAGE_LIMIT };
      return (await get("/api/v1/fixtures", { inQuery, signal })).data;
    },
    getNextPageParam: (_page, pages) =>
      pages.length * days < FARTHEST_DAYS ? pages.length : undefined,
  });
}

/** A match; null if there is none. */
export function matchQuery(userId: string, matchId: string) {
  return queryOptions({
    queryKey: keys.match(userId, matchId),
    queryFn: async ({ signal }): Promise<Match | null> => {
      try {
        const inPath = { fixture_id: matchId };
        return (await get("/api/v1/fixtures/{fixture_id}", { inPath, signal })).data;
      } catch (error) {
        if (error instanceof Refusal && error.status === NOT_FOUND) {
          return null;
        }
        throw error;
      }
    },
    refetchInterval: ({ state: { data } }) =>
      data && isBeingCounted(data, data.prediction?.outcome, serverNowMs())
        ? POLL_INTERVAL_MS
        : false,
  });
}

/** A club's latest results, newest first. */
export function resultsOfQuery(userId: string, clubId: string) {
  return queryOptions({
    queryKey: keys.form(userId, clubId),
    queryFn: async ({ signal }): Promise<Match[]> => {
      const span = daysFrom(-DATES_DAYS, 0);
      const inQuery = { ...span, club: clubId, state: "finished" as const, limit: PAGE_LIMIT };
      return (await get("/api/v1/fixtures", { inQuery, signal })).data.toReversed();
    },
    enabled: clubId !== "",
  });
}

/** Whether the member has a reminder of a match. */
export function reminderQuery(userId: string, matchId: string) {
  return queryOptions({
    queryKey: keys.reminder(userId, matchId),
    queryFn: async ({ signal }): Promise<boolean> => {
      const inPath = { fixture_id: matchId };
      return (await get("/api/v1/fixtures/{fixture_id}/reminder", { inPath, signal })).data.remind;
    },
  });
}

/** Set or remove a reminder; returns the new state. */
export async function setReminder(matchId: string, isOn: boolean): Promise<boolean> {
  const address = { inPath: { fixture_id: matchId } };
  const path = "/api/v1/fixtures/{fixture_id}/reminder";
  const answer = isOn ? await put(path, null, address) : await remove(path, null, address);
  return answer.data.remind;
}

/** The competitions with a table. */
export function competitionsQuery(userId: string) {
  return queryOptions({
    queryKey: keys.competitions(userId),
    queryFn: async ({ signal }): Promise<Competition[]> =>
      (await get("/api/v1/competitions", { signal })).data.filter(({ table }) => table),
  });
}

export function leagueTableQuery(userId: string, competition: string) {
  return queryOptions({
    queryKey: keys.leagueTable(userId, competition),
    queryFn: async ({ signal }): Promise<LeagueRow[]> => {
      const inPath = { competition_id: competition };
      return (await get("/api/v1/competitions/{competition_id}/table", { inPath, signal })).data;
    },
  });
}

/** Every date from today on: matches, seasons, the end of a plan. */
export function calendarQuery(member: Player) {
  return queryOptions({
    queryKey: keys.calendar(member),
    queryFn: async ({ signal }): Promise<CalendarDate[]> => {
      const inQuery = datesFromToday();
      return (await get("/api/v1/calendar", { inQuery, signal })).data;
    },
  });
}

/** Matches open for prediction, the next kick-off first, with the saved predictions. */
export function openPredictionsQuery(userId: string) {
  return queryOptions({
    queryKey: keys.predictions(userId, "open"),
    queryFn: async ({ signal }): Promise<PredictionRow[]> =>
      (await get("/api/v1/predictions", { inQuery: { limit: PAGE_LIMIT }, signal })).data,
  });
}

/** The member's predictions of closed matches, latest first. */
export function closedPredictionsQuery(userId: string) {
  return infiniteQueryOptions({
    queryKey: keys.predictions(userId, "closed"),
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const before = pageParam || undefined;
      const inQuery = { state: "closed" as const, limit: PREDICTIONS_AT_ONCE, before };
      return (await get("/api/v1/predictions", { inQuery, signal })).data;
    },
    getNextPageParam: (rows) =>
      rows.length < PREDICTIONS_AT_ONCE ? undefined : rows.at(-1)?.fixture.id,
    refetchInterval: ({ state: { data } }) => {
      const isCounting = ({ fixture, outcome }: PredictionRow) =>
        isBeingCounted(fixture, outcome, serverNowMs());
      return data?.pages.flat().some(isCounting) ? POLL_INTERVAL_MS : false;
    },
  });
}

/** One page of the predictors' board; the previous one stays while another loads. */
export function predictionBoardQuery(
  userId: string,
  choice: { scope: BoardScope; period: PredictionPeriod; page: number },
) {
  return queryOptions({
    queryKey: keys.predictionBoard(userId, choice),
    queryFn: async ({ signal }) =>
      (await get("/api/v1/predictions/board", { inQuery: choice, signal })).data,
    placeholderData: keepPreviousData,
  });
}

/** Save a prediction, in place of the one that was saved at `base`; without it, of any. */
export function savePrediction(matchId: string, score: Score & { base?: string | null }) {
  const inPath = { fixture_id: matchId };
  return put("/api/v1/predictions/{fixture_id}", score, { inPath, keepalive: true });
}

/** Delete a prediction; idempotent. */
export function removePrediction(matchId: string) {
  const inPath = { fixture_id: matchId };
  return remove("/api/v1/predictions/{fixture_id}", null, { inPath, keepalive: true });
}

/** A match as a calendar file. */
export async function exportMatch(matchId: string): Promise<Blob> {
  return getFile("/api/v1/fixtures/{fixture_id}/export", { inPath: { fixture_id: matchId } });
}

/** The same dates as a calendar file. */
export async function exportCalendar(): Promise<Blob> {
  return getFile("/api/v1/calendar/export", { inQuery: datesFromToday() });
}

const datesFromToday = () => daysFrom(0, DATES_DAYS);

/** The days between two, counted from today, in the server's time. */
function daysFrom(first: number, last: number): { from: string; to: string } {
  const now = serverNowMs();
  return { from: dayOf(now + first * DAY_MS), to: dayOf(now + last * DAY_MS) };
}
