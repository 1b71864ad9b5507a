// hourCycle, not hour12: with hour12 Node prints "00:30 pm" where browsers print "12:30 pm".
const longDate = new Intl.DateTimeFormat("en-NG", {
  dateStyle: "long",
  timeZone: "Africa/Lagos",
});
const time = new Intl.DateTimeFormat("en-NG", {
  hour: "numeric",
  minute: "2-digit",
  hourCycle: "h12",
  timeZone: "Africa/Lagos",
});

/** A moment as `21 November 2026, 1:30 pm`, in Lagos. */
export function formatMoment(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : `${longDate.format(date)}, ${time.format(date)}`;
}

/** A time of today as `2:05 pm`, of another day with its date, in Lagos. */
export function formatSince(epochMs: number): string {
  const date = new Date(epochMs);
  const isToday = longDate.format(date) === longDate.format(new Date());
  return isToday ? time.format(date) : formatMoment(date.toISOString());
}

/** Seconds as `0:59`. */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
