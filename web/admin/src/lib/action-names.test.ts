import { expect, test } from "vitest";
import { actionName } from "~/lib/action-names";

test.each([
  ["look-at-member", "Viewed member"],
  ["look-for-members", "Searched members"],
  ["prove", "Checked ledger"],
  ["write-off", "Write off"],
])("%s is written %s", (action, name) => {
  expect(actionName(action)).toBe(name);
});
