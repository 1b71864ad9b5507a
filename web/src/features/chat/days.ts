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
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Lagos is an hour ahead of UTC and has no summer time. */
const LAGOS_MS = HOUR_MS;

/** A time as `1:30 pm`, in Lagos. */
export function timeOf(timeMs: number): string {
  return time.format(timeMs);
}

/** The day of a time in Lagos, to compare with. */
export function dayOf(timeMs: number): string {
  return new Date(timeMs + LAGOS_MS).toISOString().slice(0, 10); // formats are slow
}

/** `Today`, `Yesterday`, or the day's long name. */
export function dayName(timeMs: number, nowMs: number): string {
  if (dayOf(timeMs) === dayOf(nowMs)) {
    return "Today";
  }
  if (dayOf(timeMs) === dayOf(nowMs - DAY_MS)) {
    return "Yesterday";
  }
  return `${weekday.format(timeMs)}, ${longDate.format(timeMs)}`;
}
