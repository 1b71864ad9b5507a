import { type Answer, post } from "@/api/client";
import type { BoughtPlan } from "@/api/wire";
import { once } from "@/lib/attempts";

/** Buy a plan from the wallet; the same wish, sent again after a lost answer, is paid once. */
export async function subscribe(
  userId: string,
  subscriptionId: string,
): Promise<Answer<BoughtPlan>> {
  const purpose = `subscription:${userId}`;
  const body = { subscriptionId, userId };
  return once(purpose, body, (idempotencyKey) =>
    post("/api/v1/users/subscription", body, { idempotencyKey }),
  );
}
