import { expect, test } from "vitest";
import { clubPair, contrast, DEFAULT_COLOURS, readableOn } from "@/lib/format/colours";

test("contrast follows WCAG", () => {
  expect(contrast("#000000", "#FFFFFF")).toBeCloseTo(21, 5);
});

test("text on a club's colour can be read", () => {
  expect(readableOn("#0A4DA2")).toBe("#FFFFFF");
  expect(readableOn("#FFC62E")).toBe("#0F1A15");
});

test("what is no pair of colours falls back to the house's", () => {
  expect(clubPair(undefined)).toEqual(DEFAULT_COLOURS);
  expect(clubPair(["red", "url(evil)"])).toEqual(DEFAULT_COLOURS);
  expect(clubPair(["#B3122A", "#FFFFFF"])).toEqual(["#B3122A", "#FFFFFF"]);
});
