import type { QueryClient } from "@tanstack/react-query";
import { post } from "@/api/client";
import type { Player } from "@/api/query-keys";
import { invalidateAfter } from "@/api/stale";
import { todayQuery } from "@/api/today";
import type { Celebration } from "@/api/wire";

/** Record that the member has seen these celebrations, which ends them on all devices. */
export async function markCelebrationsSeen(
  queryClient: QueryClient,
  member: Player,
  seen: readonly Celebration[],
): Promise<void> {
  await Promise.all(
    seen.map(({ id: celebration_id }) =>
      post("/api/v1/celebrations/{celebration_id}/seen", null, { inPath: { celebration_id } }),
    ),
  );
  await invalidateAfter(queryClient, "celebration-seen", member.id);
}

/** The same for all current celebrations; those not recorded are shown on Home. */
export async function markAllCelebrationsSeen(
  queryClient: QueryClient,
  member: Player,
): Promise<void> {
  const day = await queryClient.fetchQuery({ ...todayQuery(member), staleTime: 0 });
  await markCelebrationsSeen(queryClient, member, day.celebrate);
}
