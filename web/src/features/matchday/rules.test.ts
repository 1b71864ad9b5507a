import { expect, test } from "vitest";
import { isAhead, isRemindable, minuteOf, stateText } from "@/features/matchday/rules";

const KICK_OFF = "2026-11-22T15:00:00.000Z";
const at = (minutes: number) => Date.parse(KICK_OFF) + minutes * 60_000;
const live = (phaseStartedAt: string | null, half: 1 | 2 = 1) =>
  ({ state: "live", kickOffAt: KICK_OFF, phaseStartedAt, half }) as const;

test.each([
  [0, "1'"],
  [22.9, "23'"],
  [44.9, "45'"],
  [47, "45+"],
])("%s minutes after the first half began it is %s", (minutes, text) => {
  expect(minuteOf(live(KICK_OFF), at(minutes))).toBe(text);
});

test.each([
  [62, "46'"],
  [63.5, "47'"],
  [110, "90+"],
])("%s minutes after a kick-off with a break it is %s", (minutes, text) => {
  const second = new Date(at(62)).toISOString();
  expect(minuteOf(live(second, 2), at(minutes))).toBe(text);
});

test("a match that began late, or whose break was short, counts by its half", () => {
  const late = new Date(at(50)).toISOString();
  expect(minuteOf(live(late), at(50))).toBe("1'");
  expect(minuteOf(live(new Date(at(30)).toISOString(), 2), at(31))).toBe("47'");
});

test("a clock that is behind counts from the first minute, and a half without a time is live", () => {
  expect(minuteOf(live(KICK_OFF), at(-3))).toBe("1'");
  expect(minuteOf(live(null), at(10))).toBe("Live");
});

test.each([
  ["scheduled", "4:00 pm"],
  ["half_time", "Half-time"],
  ["finished", "Full time"],
  ["postponed", "Postponed"],
  ["awarded", "Awarded"],
] as const)("%s is told as %s", (state, text) => {
  expect(stateText({ ...live(KICK_OFF), state }, at(10))).toBe(text);
});

test.each([
  ["scheduled", -60, true],
  ["scheduled", 23 * 60, true],
  ["scheduled", 25 * 60, false], // forgotten by operators: among the results, with its time
  ["live", 100, true],
  ["postponed", -60, true],
  ["postponed", 60, false],
  ["finished", 100, false],
  ["cancelled", -60, true],
] as const)("%s, %s minutes after its time, is ahead: %s", (state, minutes, is) => {
  expect(isAhead({ ...live(KICK_OFF), state }, at(minutes))).toBe(is);
});

test.each([
  ["scheduled", -61, true],
  ["scheduled", -60, false],
  ["postponed", -90, false],
  ["live", 5, false],
] as const)("%s, %s minutes after its time, can be reminded of: %s", (state, minutes, can) => {
  expect(isRemindable({ ...live(KICK_OFF), state }, at(minutes))).toBe(can);
});
