import { expect, test } from "vitest";
import { clockText, largestUnit } from "@/lib/format/waits";

const HOUR_MS = 3_600_000;

test.each([
  [-5, "00:00:00", "1 minute"],
  [59_000, "00:00:59", "1 minute"],
  [26 * HOUR_MS + 3 * 60_000 + 1, "26:03:01", "1 day"],
  [50 * HOUR_MS, "50:00:00", "2 days"],
  [15 * 24 * HOUR_MS, "360:00:00", "15 days"],
  [2 * HOUR_MS, "02:00:00", "2 hours"],
])("%i ms are %s, or %s", (leftMs, clock, unit) => {
  expect(clockText(leftMs)).toBe(clock);
  expect(largestUnit(leftMs)).toBe(unit);
});
