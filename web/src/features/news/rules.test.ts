import { expect, test } from "vitest";
import { headlinesOf } from "@/features/news/rules";

const NOW = Date.parse("2026-11-23T12:00:00Z");
const HOUR_MS = 3_600_000;

const ago = (...hours: number[]) =>
  hours.map((each) => ({ publishedAt: new Date(NOW - each * HOUR_MS).toISOString() }));

test("headlines are what was published in the last 24 hours", () => {
  expect(headlinesOf(ago(1, 23, 24, 25), NOW)).toEqual(ago(1, 23));
});

test("on a day without news they are the newest four", () => {
  expect(headlinesOf(ago(30, 40, 50, 60, 70), NOW)).toEqual(ago(30, 40, 50, 60));
  expect(headlinesOf([], NOW)).toEqual([]);
});
