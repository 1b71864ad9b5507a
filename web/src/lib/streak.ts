import { counted } from "@/lib/counts";
import { daysBetween, weekdayOf } from "@/lib/dates";

/** A weekday names one day only of so many before today. */
const SHOWN_FOR_DAYS = 6;

/** The streak in a few words; without one, how to begin. */
export function streakText(days: number): string {
  return days > 0 ? `${days}-day streak` : "Start a streak";
}

interface StreakNews {
  /** The length of a streak that ended lately; null while one runs. */
  ended: number | null;
  /** Days that freezes bridged, newest first, as `2026-11-25`. */
  frozenOn: readonly string[];
}

/** What became of the streak lately; null where there is nothing to tell. */
export function streakNews({ ended, frozenOn }: StreakNews, today: string): string | null {
  if (ended !== null) {
    return `Your streak ended at ${counted(ended, "day")}`;
  }
  const newest = frozenOn[0];
  return newest !== undefined && daysBetween(newest, today) <= SHOWN_FOR_DAYS
    ? `Freeze used on ${weekdayOf(newest)}`
    : null;
}
