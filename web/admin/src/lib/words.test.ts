import { expect, test } from "vitest";
import { labelOf } from "~/lib/words";

test.each([
  ["battleZone", "Battle zone"],
  ["prize-voucher", "Prize voucher"],
  ["not_paid", "Not paid"],
  ["q", "Q"],
  ["asked", "Requested"],
])("the name %s reads as %s", (name, label) => {
  expect(labelOf(name)).toBe(label);
});
