import { queryOptions } from "@tanstack/react-query";
import { get } from "@/api/client";
import { keys } from "@/api/query-keys";
import type { PlanState } from "@/api/wire";
import { session } from "@/lib/session/session";

/** The member's ranking and the club's leader board. */
export function statisticsQuery(userId: string) {
  return queryOptions({
    queryKey: keys.statistics(userId),
    queryFn: async ({ signal }) => {
      const inPath = { user_id: userId };
      const { data } = await get("/api/v1/dashboard/statistics/{user_id}", { inPath, signal });
      rememberMember(userId, { badge: data.ranking.badge });
      return data;
    },
  });
}

/**
 * The current plan, fetched on every start and whenever the member returns.
 *
 * The stored user's `subscriptionId` is for the first paint only: every response corrects it.
 */
export function planQuery(userId: string) {
  return queryOptions({
    queryKey: keys.plan(userId),
    queryFn: async ({ signal }): Promise<PlanState> => {
      const inPath = { user_id: userId };
      const path = "/api/v1/users/plan/validate/{user_id}";
      const { data } = await get(path, { inPath, signal });
      rememberMember(userId, { subscriptionId: data.subscriptionId });
      return data;
    },
    staleTime: 0,
    refetchOnWindowFocus: "always",
    meta: { errorToast: true },
  });
}

/** Update the stored member with the server's values. */
export function rememberMember(
  userId: string,
  known: { badge?: string; subscriptionId?: string | null },
): void {
  const member = session.read();
  if (member?.id !== userId) {
    return;
  }
  const corrected = { ...member, ...known };
  if (corrected.badge !== member.badge || corrected.subscriptionId !== member.subscriptionId) {
    session.write(corrected);
  }
}

/** The plans on sale. */
export const plansQuery = queryOptions({
  queryKey: keys.plans,
  queryFn: async ({ signal }) => (await get("/api/v1/subscription", { signal })).data,
  staleTime: 5 * 60_000,
  meta: { errorToast: true },
});
