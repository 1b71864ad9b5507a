import { counted } from "@/lib/format/counts";
import { daysBetween, weekdayOf } from "@/lib/format/dates";

/** Only within this many days does a weekday identify a past day. */
const SHOWN_FOR_DAYS = 6;

/** The streak in a few words; without one, how to start. */
export function streakText(days: number): string {
  return days > 0 ? `${days}-day streak` : "Start a streak";
}

interface StreakNews {
  /** The length of a streak that ended recently; null while one runs. */
  ended: number | null;
  /** Days bridged by freezes, newest first, as `2026-11-25`. */
  frozenOn: readonly string[];
}

/** The streak's recent events; null if there are none. */
export function streakNews({ ended, frozenOn }: StreakNews, today: string): string | null {
  if (ended !== null) {
    return `Your streak ended at ${counted(ended, "day")}`;
  }
  const newest = frozenOn[0];
  return newest !== undefined && daysBetween(newest, today) <= SHOWN_FOR_DAYS
    ? `Freeze used on ${weekdayOf(newest)}`
    : null;
}
