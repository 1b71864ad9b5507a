import { infiniteQueryOptions } from "@tanstack/react-query";
import type { Answer } from "@/api/calls";
import { get, post, put } from "@/api/client";
import { keys } from "@/api/query-keys";
import type { BoughtPlan, Plan, PlanState } from "@/api/wire";
import { isUndecided, once } from "@/lib/session/idempotency-keys";

const PERIODS_AT_ONCE = 10;

/** Buy a plan as it is shown from the wallet; a repeat after a lost response charges once. */
export async function subscribe(userId: string, plan: Plan): Promise<Answer<BoughtPlan>> {
  const purchase = { subscriptionId: plan.id, userId };
  const { amount, duration, period } = plan;
  return once(purposeOf(userId), purchase, (idempotencyKey) =>
    post(
      "/api/v1/users/subscription",
      { ...purchase, agreed: { amount, duration, period } },
      { idempotencyKey },
    ),
  );
}

/** Whether the plan was asked for and the response is still missing. */
export function isPurchaseUndecided(userId: string, subscriptionId: string): boolean {
  return isUndecided(purposeOf(userId), { subscriptionId, userId });
}

function purposeOf(userId: string): string {
  return `subscription:${userId}`;
}

/** Turn automatic renewal on or off; off in grace ends the plan at once. */
export async function chooseRenewal(userId: string, renews: boolean): Promise<Answer<PlanState>> {
  const path = "/api/v1/users/subscription/{user_id}/renewal";
  return put(path, { renews }, { inPath: { user_id: userId } });
}

/** The member's past periods, newest first, one page at a time. */
export function planHistoryQuery(userId: string) {
  return infiniteQueryOptions({
    queryKey: keys.planHistory(userId),
    initialPageParam: "",
    queryFn: async ({ pageParam, signal }) => {
      const inPath = { user_id: userId };
      const inQuery = { limit: PERIODS_AT_ONCE, before: pageParam || undefined };
      return (await get("/api/v1/users/subscription/{user_id}", { inPath, inQuery, signal })).data;
    },
    getNextPageParam: (periods) =>
      periods.length < PERIODS_AT_ONCE ? undefined : periods.at(-1)?.id,
  });
}
