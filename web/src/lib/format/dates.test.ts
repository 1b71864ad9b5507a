import { expect, test, vi } from "vitest";
import {
  formatCountdown,
  formatDate,
  formatDay,
  formatMoment,
  formatShortMoment,
  formatSince,
} from "@/lib/format/dates";

test("a moment is written long, with a 12-hour time, in Lagos", () => {
  expect(formatMoment("2026-11-20T11:30:00Z")).toMatch(/^20 November 2026, 12:30\s?pm$/i);
  expect(formatMoment("not a date")).toBe("");
});

test("seconds are written as a clock", () => {
  expect(formatCountdown(59)).toBe("0:59");
  expect(formatCountdown(125)).toBe("2:05");
});

test("a time of today is a time, one of another day has its date", () => {
  vi.useFakeTimers({ now: new Date("2026-11-22T14:00:00Z") });

  expect(formatSince(Date.parse("2026-11-22T13:05:00Z"))).toMatch(/^2:05\s?pm$/i);
  expect(formatSince(Date.parse("2026-11-21T13:05:00Z"))).toMatch(/^21 November 2026, 2:05\s?pm$/i);
});

test("a short day is the day that is written, wherever the browser stands", () => {
  expect(formatDay("2026-11-01")).toBe("1 Nov");
  expect(formatDay(Date.parse("2026-11-21T00:00:00Z"))).toBe("21 Nov");
});

test("a short moment names the year only of another one, in one piece", () => {
  vi.useFakeTimers({ now: new Date("2026-12-31T22:59:00Z") });

  expect(formatShortMoment("2026-11-27T23:16:00Z")).toBe("28\u00A0Nov,\u00A000:16");
  expect(formatShortMoment("2026-12-31T23:00:00Z")).toBe("1\u00A0Jan\u00A02027,\u00A000:00");
  expect(formatShortMoment("not a date")).toBe("");
});

test("a date of birth has its year", () => {
  expect(formatDate("1998-11-01")).toBe("1 Nov 1998");
});
