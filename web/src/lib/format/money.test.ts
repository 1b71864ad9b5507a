import { expect, test } from "vitest";
import {
  amountFromTyping,
  formatDollars,
  formatNaira,
  formatNairaShort,
  formatWhileTyping,
  timesQuantity,
} from "@/lib/format/money";

test("naira carry their sign, thousand separators and two decimals", () => {
  expect(formatNaira(2500.5)).toBe("₦2,500.50");
  expect(formatNaira(1_234_567)).toBe("₦1,234,567.00");
});

test("a whole price is written without kobo, any other with two decimals", () => {
  expect(formatNairaShort(15_000)).toBe("₦15,000");
  expect(formatNairaShort(2500.5)).toBe("₦2,500.50");
});

test("samples are priced in dollars with two decimals", () => {
  expect(formatDollars(29.99)).toBe("$29.99");
});

test("a line total does not drift", () => {
  expect(timesQuantity(2500.1, 3)).toBe(7500.3);
});

test("typing keeps digits only and sets the commas", () => {
  expect(formatWhileTyping("5000")).toBe("5,000");
  expect(formatWhileTyping("1a2b3c4d5.6")).toBe("123,456");
  expect(formatWhileTyping("007")).toBe("7");
  expect(formatWhileTyping("")).toBe("");
});

test("an amount is what is left without commas; empty, zero and words are none", () => {
  expect(amountFromTyping("5,000")).toBe(5000);
  expect(amountFromTyping("")).toBeNull();
  expect(amountFromTyping("0")).toBeNull();
  expect(amountFromTyping("five")).toBeNull();
});
