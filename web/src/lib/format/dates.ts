import { twoDigits } from "@/lib/format/counts";

const LAGOS = "Africa/Lagos";
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Lagos is an hour ahead of UTC and has no summer time. */
const LAGOS_MS = HOUR_MS;

// hourCycle, not hour12: with hour12 Node prints "00:30 pm" where browsers print "12:30 pm".
const time = new Intl.DateTimeFormat("en-NG", {
  hour: "numeric",
  minute: "2-digit",
  hourCycle: "h12",
  timeZone: LAGOS,
});
// Two formats: browsers differ about the comma between them.
const weekday = new Intl.DateTimeFormat("en-NG", { weekday: "long", timeZone: LAGOS });
const longDate = new Intl.DateTimeFormat("en-NG", { dateStyle: "long", timeZone: LAGOS });

const monthAndYear = new Intl.DateTimeFormat("en-NG", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

// Only the back office needs such short days: the members' build drops it.
const shortDay = /* @__PURE__ */ new Intl.DateTimeFormat("en-NG", {
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** A day, written `2026-11-21` or as its midnight in UTC, as `21 Nov`. */
export function formatDay(day: string | number): string {
  return shortDay.format(new Date(day));
}

// Also only of the back office, whose columns have room for no more.
const shortDate = /* @__PURE__ */ new Intl.DateTimeFormat("en-NG", {
  day: "numeric",
  month: "short",
  timeZone: LAGOS,
});
const shortTime = /* @__PURE__ */ new Intl.DateTimeFormat("en-NG", {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: LAGOS,
});

/** A moment as `21 Nov, 13:30`, of another year as `21 Nov 2025, 13:30`, in Lagos; it never wraps. */
export function formatShortMoment(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) {
    return "";
  }
  const year = dayOf(date.getTime()).slice(0, 4);
  const day = shortDate.format(date) + (year === dayOf(Date.now()).slice(0, 4) ? "" : ` ${year}`);
  return `${day}, ${shortTime.format(date)}`.replaceAll(" ", "\u00A0");
}

/** A date such as `1998-11-01` as `1 Nov 1998`. */
export function formatDate(day: string): string {
  return `${formatDay(day)} ${day.slice(0, 4)}`;
}

/** A time as `1:30 pm`, in Lagos. */
export function formatTime(epochMs: number): string {
  return time.format(epochMs);
}

/** A moment as `21 November 2026, 1:30 pm`, in Lagos. */
export function formatMoment(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "" : `${longDate.format(date)}, ${time.format(date)}`;
}

/** A time of today as `2:05 pm`, of another day with its date, in Lagos. */
export function formatSince(epochMs: number): string {
  return dayOf(epochMs) === dayOf(Date.now())
    ? formatTime(epochMs)
    : formatMoment(new Date(epochMs).toISOString());
}

/** The day of a time in Lagos as `2026-11-21`: for comparisons and date fields. */
export function dayOf(epochMs: number): string {
  return new Date(epochMs + LAGOS_MS).toISOString().slice(0, 10); // formats are slow to create
}

/** `Today`, `Yesterday`, or the day's long name. */
export function dayName(epochMs: number, nowMs: number): string {
  if (dayOf(epochMs) === dayOf(nowMs)) {
    return "Today";
  }
  if (dayOf(epochMs) === dayOf(nowMs - DAY_MS)) {
    return "Yesterday";
  }
  return `${weekday.format(epochMs)}, ${longDate.format(epochMs)}`;
}

/** The weekday of a day such as `2026-11-25`: `Wednesday`. */
export function weekdayOf(day: string): string {
  return weekday.format(Date.parse(`${day}T12:00:00Z`));
}

/** The number of days between two such days. */
export function daysBetween(earlier: string, later: string): number {
  return Math.round((Date.parse(later) - Date.parse(earlier)) / DAY_MS);
}

/** A month such as `2026-11` as `November 2026`. */
export function monthName(month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  return Number.isNaN(first.getTime()) ? month : monthAndYear.format(first);
}

/** Seconds as `0:59`. */
export function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;
}
