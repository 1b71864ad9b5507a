import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { keys, type RegisteredKey } from "@/api/query-keys";
import { invalidateAfter, type Mutation } from "@/api/stale";

const ADA = "member-1";
const CLUB = "club-1";
const ANSWERS = {
  statistics: keys.statistics(ADA),
  today: keys.today({ id: ADA, club: CLUB }),
  board: keys.board(ADA, { page: 1 }),
  points: keys.points(ADA),
  badges: keys.badges(ADA),
  balance: keys.balance(ADA),
  limits: keys.fundingLimits(ADA),
  plan: keys.plan(ADA),
  planHistory: keys.planHistory(ADA),
  products: keys.products,
  product: keys.product("shirt"),
  orders: keys.orders(ADA),
  questions: keys.questions({ id: ADA, club: CLUB }),
  attempt: keys.attempt({ id: ADA, club: CLUB }),
  season: keys.season,
  profile: keys.profile(ADA),
  devices: keys.devices(ADA),
  moments: keys.moments(ADA),
  sharedMoments: keys.sharedMoments({ id: ADA, club: CLUB }),
  notifications: keys.notifications(ADA),
  unreadNotifications: keys.unreadNotifications(ADA),
  unread: keys.chatUnread(ADA),
} satisfies Record<string, RegisteredKey>;

/** The queries that `mutation` invalidates. */
async function staleAfter(mutation: Mutation): Promise<string[]> {
  const client = new QueryClient();
  for (const key of Object.values(ANSWERS)) {
    client.setQueryData(key, "known");
  }
  await invalidateAfter(client, mutation, ADA);
  return Object.entries(ANSWERS)
    .filter(([, key]) => client.getQueryState(key)?.isInvalidated)
    .map(([name]) => name);
}

test.each<[Mutation, (keyof typeof ANSWERS)[]]>([
  ["order-placed", ["balance", "limits", "products", "product", "orders"]],
  ["order-refused", ["balance", "limits"]],
  ["payment-settled", ["statistics", "today", "balance", "limits"]],
  ["funding-cancelled", ["limits"]],
  ["plan-bought", ["today", "balance", "limits", "plan", "planHistory"]],
  ["renewal-chosen", ["plan", "planHistory"]],
  ["quest-handed-in", ["statistics", "today", "board", "points", "badges"]],
  ["quest-refused", ["today", "attempt"]],
  ["battle-judged", ["statistics", "today", "board", "points", "badges"]],
  ["battle-moved", ["today", "season"]],
  ["profile-saved", ["statistics", "today"]],
  ["devices-signed-out", ["devices"]],
  ["moments-changed", ["moments", "sharedMoments"]],
  ["moment-shared", ["badges", "moments", "sharedMoments"]],
  ["told", ["notifications"]],
  ["told-of-money", ["balance", "limits", "notifications"]],
  ["told-of-an-order", ["balance", "limits", "orders", "notifications"]],
  ["told-of-a-plan", ["today", "balance", "limits", "plan", "planHistory", "notifications"]],
  ["notifications-read", ["notifications"]],
  ["room-moved", ["unread"]],
])("after %s exactly what it changed is old", async (mutation, stale) => {
  expect(await staleAfter(mutation)).toEqual(stale);
});

test("another member's answers stay as they are", async () => {
  const client = new QueryClient();
  client.setQueryData(keys.balance("member-2"), 5);

  await invalidateAfter(client, "payment-settled", ADA);

  expect(client.getQueryState(keys.balance("member-2"))?.isInvalidated).toBe(false);
});
