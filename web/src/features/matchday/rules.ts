import type { Match, MatchState } from "@/api/wire";
import { formatTime } from "@/lib/dates";

const MINUTE_MS = 60_000;
const HALF_MINUTES = 45;

const WORDS: Partial<Record<MatchState, string>> = {
  half_time: "Half-time",
  finished: "Full time",
  postponed: "Postponed",
  cancelled: "Cancelled",
  abandoned: "Abandoned",
  awarded: "Awarded",
};

type Timed = Pick<Match, "state" | "kickOffAt" | "phaseStartedAt">;

/** The minute that is played, as `23'`, or `45+` and `90+` where the time of a half is over. */
export function minuteOf({ kickOffAt, phaseStartedAt }: Timed, nowMs: number): string {
  if (phaseStartedAt === null) {
    return "Live";
  }
  const startedMs = Date.parse(phaseStartedAt);
  const isSecond = startedMs - Date.parse(kickOffAt) >= HALF_MINUTES * MINUTE_MS;
  const played = Math.max(0, Math.floor((nowMs - startedMs) / MINUTE_MS));
  if (played >= HALF_MINUTES) {
    return isSecond ? "90+" : "45+";
  }
  return `${played + 1 + (isSecond ? HALF_MINUTES : 0)}'`;
}

/** Where a match is in a word or two: its time, its minute, or how it ended. */
export function stateText(match: Timed, nowMs: number): string {
  if (match.state === "live") {
    return minuteOf(match, nowMs);
  }
  return WORDS[match.state] ?? formatTime(Date.parse(match.kickOffAt));
}

/** Whether a ball is being kicked, or will be after the break. */
export function isRunning({ state }: Pick<Match, "state">): boolean {
  return state === "live" || state === "half_time";
}

/** Whether it is still to come, or running. */
export function isAhead({ state }: Pick<Match, "state">): boolean {
  return state === "scheduled" || state === "postponed" || isRunning({ state });
}

/** What screen readers say of a match: who plays whom, how it stands, and when. */
export function spoken(match: Match, nowMs: number): string {
  const { home, away, goals } = match;
  const teams =
    goals === null
      ? `${home.name} against ${away.name}`
      : `${home.name} ${goals.home}, ${away.name} ${goals.away}`;
  return `${teams}, ${stateText(match, nowMs)}`;
}
