import { expect, test } from "vitest";
import { badgeCount, counted, plural, twoDigits } from "@/lib/format/counts";

test("one thing is counted in the singular, none and many in the plural", () => {
  expect([0, 1, 2, 1200].map((count) => counted(count, "question"))).toEqual([
    "0 questions",
    "1 question",
    "2 questions",
    "1,200 questions",
  ]);
  expect(plural(1, "The other device", "The others")).toBe("The other device");
});

test("a part of a clock has two digits", () => {
  expect([0, 7, 45].map(twoDigits)).toEqual(["00", "07", "45"]);
});

test.each([
  [1, "1"],
  [99, "99"],
  [100, "99+"],
])("a badge shows %i as %s", (count, shown) => {
  expect(badgeCount(count)).toBe(shown);
});
