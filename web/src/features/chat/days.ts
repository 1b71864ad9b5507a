// hourCycle, not hour12: with hour12 Node prints "00:30 pm" where browsers print "12:30 pm".
const time = new Intl.DateTimeFormat("en-NG", {
  hour: "numeric",
  minute: "2-digit",
  hourCycle: "h12",
  timeZone: "Africa/Lagos",
});
// Two formats: browsers differ about the comma between them.
const weekday = new Intl.DateTimeFormat("en-NG", { weekday: "long", timeZone: "Africa/Lagos" });
const longDate = new Intl.DateTimeFormat("en-NG", { dateStyle: "long", timeZone: "Africa/Lagos" });
const day = new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone: "Africa/Lagos" });
const DAY_MS = 24 * 60 * 60 * 1000;

/** A time as `1:30 pm`, in Lagos. */
export function timeOf(timeMs: number): string {
  return time.format(timeMs);
}

/** The day of a time in Lagos, to compare with. */
export function dayOf(timeMs: number): string {
  return day.format(timeMs);
}

/** `Today`, `Yesterday`, or the day's long name; Lagos has no summer time. */
export function dayName(timeMs: number, nowMs: number): string {
  if (dayOf(timeMs) === dayOf(nowMs)) {
    return "Today";
  }
  if (dayOf(timeMs) === dayOf(nowMs - DAY_MS)) {
    return "Yesterday";
  }
  return `${weekday.format(timeMs)}, ${longDate.format(timeMs)}`;
}
