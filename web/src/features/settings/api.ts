import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "@/api/calls";
import { get, post, remove } from "@/api/client";
import { keys } from "@/api/query-keys";
import { isRecord } from "@/lib/device/storage";
import { Refusal } from "@/lib/live/failures";

/** The member's sessions, last used first. */
export function devicesQuery(userId: string) {
  return queryOptions({
    queryKey: keys.devices(userId),
    queryFn: async ({ signal }) => {
      const inPath = { user_id: userId };
      return (await get("/api/v1/sessions/{user_id}", { inPath, signal })).data;
    },
    staleTime: 0,
  });
}

/** Sign out everywhere else; this session stays. */
export function revokeOthers(): Promise<Answer<{ revoked: number }>> {
  return post("/api/v1/sessions/revoke-others", null);
}

/** The member's data export. */
export async function exportData(userId: string) {
  return (await get("/api/v1/users/{user_id}/export", { inPath: { user_id: userId } })).data;
}

/** Delete the account permanently; `forfeitBalance` gives up the wallet's balance. */
export function deleteAccount(
  userId: string,
  password: string,
  forfeitBalance: boolean,
): Promise<Answer<unknown>> {
  const inPath = { user_id: userId };
  return remove("/api/v1/users/{user_id}", { password, forfeitBalance }, { inPath });
}

/** The balance in naira that blocks the deletion, if that is why it was refused. */
export function balanceLeft(error: unknown): number | null {
  if (error instanceof Refusal && error.code === "balance_left" && isRecord(error.data)) {
    const { balance } = error.data;
    return typeof balance === "number" ? balance : null;
  }
  return null;
}
