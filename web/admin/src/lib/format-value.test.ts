import { expect, test } from "vitest";
import { formatValue } from "~/lib/format-value";

test.each([
  ["amount", 160493.71, "₦160,493.71"],
  ["amount_kobo", 180_000, "₦1,800.00"],
  ["leftKobo", 1, "₦0.01"],
  ["adjustment_day_limit", 50_000, "₦50,000.00"],
  ["adjustmentLimit", 10_000, "₦10,000.00"],
  ["confirmDayLimit", 1_000_000, "₦1,000,000.00"],
  ["transferValueLimit", 500_000, "₦500,000.00"],
  ["confirmAmount", 100_000, "₦100,000.00"],
  ["transferUnitsLimit", 20, "20"],
  ["gift_limit", 20, "20"],
  ["category", "prize-voucher", "Prize voucher"],
  ["reason", "prize-voucher", "prize-voucher"],
  ["until", "2020-11-24T01:43:24.775847+00:00", "24\u00A0Nov\u00A02020,\u00A002:43"],
  ["day", "2026-11-24", "2026-11-24"],
  ["stateRequired", false, "No"],
  ["reason", null, "–"],
  ["reason", "", "–"],
])("%s %s is told as %s", (name, value, told) => {
  expect(formatValue(name, value)).toBe(told);
});
