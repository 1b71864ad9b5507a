import { expect, test } from "vitest";
import { formatCountdown, formatMoment } from "@/lib/dates";

test("a moment is written long, with a 12-hour time, in Lagos", () => {
  expect(formatMoment("2026-11-20T11:30:00Z")).toMatch(/^20 November 2026, 12:30\s?pm$/i);
  expect(formatMoment("not a date")).toBe("");
});

test("seconds are written as a clock", () => {
  expect(formatCountdown(59)).toBe("0:59");
  expect(formatCountdown(125)).toBe("2:05");
});
