import { expect, test } from "vitest";
import { type Group, groupOf } from "@/features/notifications/rules";

test.each<[string, Group]>([
  ["wallet_credited", "money"],
  ["refund_sent", "money"],
  ["order_paid", "orders"],
  ["proof_rejected", "orders"],
  ["transfer_short", "orders"],
  ["plan_ending", "plans"],
  ["promotion", "games"],
  ["quest_open", "games"],
  ["overtaken", "games"],
  ["fixture_soon", "matches"],
  ["reply", "community"],
  ["chat_muted", "community"],
  ["moment_hidden", "community"],
  ["club_changed", "community"],
  // Of a newer server.
  ["goal_scored", "community"],
])("%s is about %s", (kind, group) => {
  expect(groupOf(kind)).toBe(group);
});
