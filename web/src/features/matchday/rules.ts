import type { Match, MatchState } from "@/api/wire";
import { formatTime } from "@/lib/format/dates";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const HALF_MINUTES = 45;

const WORDS: Partial<Record<MatchState, string>> = {
  half_time: "Half-time",
  finished: "Full time",
  postponed: "Postponed",
  cancelled: "Cancelled",
  abandoned: "Abandoned",
  awarded: "Awarded",
};

type Timed = Pick<Match, "state" | "kickOffAt" | "phaseStartedAt" | "half">;

/** The minute, as `23'`, or `45+` and `90+` in added time. */
export function minuteOf({ phaseStartedAt, half }: Timed, nowMs: number): string {
  if (phaseStartedAt === null) {
    return "Live";
  }
  const isSecond = half === 2;
  const played = Math.max(0, Math.floor((nowMs - Date.parse(phaseStartedAt)) / MINUTE_MS));
  if (played >= HALF_MINUTES) {
    return isSecond ? "90+" : "45+";
  }
  return `${played + 1 + (isSecond ? HALF_MINUTES : 0)}'`;
}

/** The state of a match in a word or two: its time, its minute, or its end. */
export function stateText(match: Timed, nowMs: number): string {
  if (match.state === "live") {
    return minuteOf(match, nowMs);
  }
  return WORDS[match.state] ?? formatTime(Date.parse(match.kickOffAt));
}

/** Whether it is in play or at the break. */
export function isRunning({ state }: Pick<Match, "state">): boolean {
  return state === "live" || state === "half_time";
}

/** Whether it is upcoming or running; a kick-off may be reported late, but not by a day. */
export function isAhead(match: Timed, nowMs: number): boolean {
  const { state, kickOffAt } = match;
  const since = state === "scheduled" ? nowMs - DAY_MS : nowMs;
  return isRunning(match) || Date.parse(kickOffAt) > since;
}

/** Whether it may change while a list is open. */
export function isNear(match: Timed, nowMs: number): boolean {
  const isSoon = match.state === "scheduled" && Date.parse(match.kickOffAt) - nowMs < DAY_MS;
  return isSoon || isRunning(match);
}

/** The competition and the round in a line. */
export function playedFor({ competition, round }: Match): string {
  const labels = [competition.name, round, competition.demo ? "Demo season" : ""];
  return labels.filter((part) => part !== "").join(" · ");
}

/** A match for screen readers: the teams, the score and the time. */
export function spoken(match: Match, nowMs: number): string {
  const { home, away, goals } = match;
  const teams =
    goals === null
      ? `${home.name} against ${away.name}`
      : `${home.name} ${goals.home}, ${away.name} ${goals.away}`;
  return `${teams}, ${stateText(match, nowMs)}`;
}

/** Whether there is time left for a reminder, which is sent an hour before kick-off. */
export function isRemindable({ state, kickOffAt }: Timed, nowMs: number): boolean {
  return state === "scheduled" && Date.parse(kickOffAt) - nowMs > HOUR_MS;
}

export type Outcome = "Won" | "Drawn" | "Lost";

/** How a team did in a match with a score. */
export function outcomeFor({ home, goals }: Match, teamId: string): Outcome {
  const lead = (goals?.home ?? 0) - (goals?.away ?? 0);
  const own = home.teamId === teamId ? lead : -lead;
  if (own === 0) {
    return "Drawn";
  }
  return own > 0 ? "Won" : "Lost";
}
