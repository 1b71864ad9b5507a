import { counted, twoDigits } from "@/lib/format/counts";
import { splitTime } from "@/lib/live/server-clock";

/** The remaining wait as a clock with all its hours: `26:03:59`. */
export function clockText(leftMs: number): string {
  const { weeks, day, hrs, min, sec } = splitTime(leftMs);
  return [(weeks * 7 + day) * 24 + hrs, min, sec].map(twoDigits).join(":");
}

/** A wait in its largest unit: `3 days`. */
export function largestUnit(leftMs: number): string {
  const { weeks, day, hrs, min } = splitTime(leftMs);
  const [amount, unit] = [
    [weeks * 7 + day, "day"] as const,
    [hrs, "hour"] as const,
    [Math.max(min, 1), "minute"] as const,
  ].find(([count]) => count > 0) ?? [1, "minute"];
  return counted(amount, unit);
}
