import { put } from "@/api/client";

/** Note that the member has seen the tour, for all their devices. */
export async function seeTour(userId: string): Promise<void> {
  await put("/api/v1/users/{user_id}/tour", null, { inPath: { user_id: userId } });
}
