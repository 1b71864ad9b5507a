import { expect, test } from "vitest";
import { earnedPoints, inBattlePoints, inPoints, rankProgress } from "@/lib/format/points";

test("every figure names its unit, and battle points are never just points", () => {
  expect([inPoints(1452), inPoints(1), earnedPoints(10), earnedPoints(0)]).toEqual([
    "1,452 points",
    "1 point",
    "+10 points",
    "0 points",
  ]);
  expect(inBattlePoints(60)).toBe("60 battle points");
});

test("the way to the next rank is told in battle points", () => {
  expect(rankProgress(20, 50, "super-fan")).toBe("20 of 50 battle points to Super Fan");
  expect(rankProgress(60, 120, "king-of-fans")).toBe("60 of 120 battle points to King of Fans");
});
