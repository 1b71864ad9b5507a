import { expect, test } from "vitest";
import { until } from "../src/lib/format/until.ts";
import { parseVisitorAnswer, validClaim } from "../src/lib/format/visitor-answer.ts";

const KICK_OFF = "2026-12-05T15:00:00Z";
const before = (seconds: number) => Date.parse(KICK_OFF) - seconds * 1000;

test.each([
  [2 * 86_400 + 3 * 3600 + 59, "in 2 days 3 h"],
  [86_400, "in 1 day 0 h"],
  [86_399, "in 23 h 59 min"],
  [3600, "in 1 h 0 min"],
  [3599, "in 59 min 59 s"],
  [61, "in 1 min 01 s"],
  [1, "in 0 min 01 s"],
  [0, "Kick-off!"],
  [-5, "Kick-off!"],
])("%s seconds before the kick-off the page says %s", (seconds, words) => {
  expect(until(KICK_OFF, before(seconds))).toBe(words);
});

const ANSWER = {
  question: "q",
  chosen: "A",
  rightAnswer: "A",
  explanation: "So it is.",
  claim: "c.1.2",
  claimUntil: KICK_OFF,
};

test.each([null, 7, "text", [], {}, { ...ANSWER, chosen: 1 }, { ...ANSWER, claim: 5 }])(
  "%j is no stored answer",
  (stored) => {
    expect(parseVisitorAnswer(stored)).toBeNull();
  },
);

test("a claim counts until it expires", () => {
  const answer = parseVisitorAnswer(ANSWER);

  expect(validClaim(answer, before(1))).toBe("c.1.2");
  expect(validClaim(answer, before(0))).toBeNull();
  expect(validClaim(parseVisitorAnswer({ ...ANSWER, claim: null }), before(1))).toBeNull();
  expect(validClaim(null, before(1))).toBeNull();
});
