import { put } from "@/api/client";

/** Record that the member has seen the tour, on all their devices. */
export async function markTourSeen(userId: string): Promise<void> {
  await put("/api/v1/users/{user_id}/tour", null, { inPath: { user_id: userId } });
}
