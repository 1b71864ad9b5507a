import type { Streak } from "@/api/wire";
import { counted } from "@/lib/counts";
import { daysBetween, weekdayOf } from "@/lib/dates";

/** A weekday names one day only of so many before today. */
const TOLD_FOR_DAYS = 6;

/** The streak in a few words; without one, how to begin. */
export function streakText({ days }: Pick<Streak, "days">): string {
  return days > 0 ? `${days}-day streak` : "Start a streak";
}

/** What became of the streak lately; null where there is nothing to tell. */
export function streakNews({ ended, frozenOn }: Streak, today: string): string | null {
  if (ended !== null) {
    return `Your streak ended at ${counted(ended, "day")}`;
  }
  const newest = frozenOn[0];
  return newest !== undefined && daysBetween(newest, today) <= TOLD_FOR_DAYS
    ? `Freeze used on ${weekdayOf(newest)}`
    : null;
}
