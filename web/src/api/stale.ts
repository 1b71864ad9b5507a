import type { QueryClient } from "@tanstack/react-query";
import { keys, type RegisteredKey } from "@/api/query-keys";

interface Staleness {
  stale: (userId: string) => RegisteredKey[];
  /** Refetched on the next mount instead of at once. */
  refetchType?: "none";
  /** A fetch in progress is recent enough. */
  cancelRefetch?: false;
}

const pointsEarned = (id: string) => [
  keys.dashboard(id),
  keys.allBoards,
  keys.points(id),
  keys.badges(id),
];
const placed = (id: string) => [
  keys.orders(id),
  keys.products,
  keys.checkoutOptions(id),
  keys.wallet(id),
];
const dayMoved = (id: string) => [keys.season, keys.allDays(id)];
const planChanged = (id: string) => [keys.plan(id), keys.wallet(id), keys.allDays(id)];

/** The queries that each mutation makes stale. */
const STALE_AFTER = {
  "order-placed": { stale: placed },
  "order-cancelled": { stale: (id) => [keys.orders(id), keys.products, keys.wallet(id)] },
  "proof-uploaded": { stale: (id) => [keys.orders(id)] },
  "order-refused": { stale: (id) => [keys.checkoutOptions(id), keys.wallet(id)] },
  "payment-settled": { stale: (id) => [keys.wallet(id), keys.dashboard(id)] },
  "funding-cancelled": { stale: (id) => [keys.fundingLimits(id)] },
  "plan-bought": { stale: planChanged },
  "plan-refused": { stale: (id) => [keys.plans, ...planChanged(id)] },
  "renewal-chosen": { stale: (id) => [keys.plan(id)] },
  "quest-handed-in": { stale: pointsEarned },
  "quest-refused": { stale: (id) => [keys.attempts(id), keys.allDays(id)] },
  "battle-judged": { stale: pointsEarned },
  // Not refetched for each step: a player moves often.
  "battle-moved": { stale: dayMoved, refetchType: "none" },
  "battle-ended": { stale: dayMoved },
  "season-moved": { stale: dayMoved },
  "address-forgotten": { stale: (id) => [keys.checkoutOptions(id)] },
  "profile-saved": { stale: (id) => [keys.dashboard(id)] },
  "devices-signed-out": { stale: (id) => [keys.devices(id)] },
  "moments-changed": { stale: (id) => [keys.moments(id)] },
  "moment-shared": { stale: (id) => [keys.moments(id), keys.badges(id)] },
  predicted: { stale: (id) => [keys.allMatches(id), keys.allDays(id), keys.badges(id)] },
  "match-moved": { stale: (id) => [keys.allMatches(id), keys.allDays(id)] },
  "celebration-seen": { stale: (id) => [keys.allDays(id)] },
  "tour-seen": { stale: (id) => [keys.allDays(id)] },
  told: { stale: (id) => [keys.notifications(id)] },
  "told-of-money": { stale: (id) => [keys.notifications(id), keys.wallet(id)] },
  "told-of-an-order": {
    stale: (id) => [keys.notifications(id), keys.orders(id), keys.wallet(id)],
  },
  "told-of-a-plan": { stale: (id) => [keys.notifications(id), keys.plans, ...planChanged(id)] },
  "notifications-read": { stale: (id) => [keys.notifications(id)] },
  "room-read": { stale: (id) => [keys.chatUnread(id)] },
  "room-moved": { stale: (id) => [keys.chatUnread(id)], cancelRefetch: false },
} satisfies Record<string, Staleness>;

export type Mutation = keyof typeof STALE_AFTER;

/** Invalidate all queries that `mutation` makes stale; resolves once they are refetched. */
export async function invalidateAfter(
  queryClient: QueryClient,
  mutation: Mutation,
  userId: string,
): Promise<void> {
  const { stale, refetchType, cancelRefetch }: Staleness = STALE_AFTER[mutation];
  const filter = refetchType === undefined ? {} : { refetchType };
  const options = cancelRefetch === undefined ? {} : { cancelRefetch };
  await Promise.all(
    stale(userId).map((queryKey) =>
      queryClient.invalidateQueries({ queryKey, ...filter }, options),
    ),
  );
}
