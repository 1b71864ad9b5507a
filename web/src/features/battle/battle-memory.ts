import type { Served } from "@/features/battle/events";
import { isRecord, storedValue } from "@/lib/storage";

/** That a member is in the zone, and the last question: what a reload needs to come back. */
interface BattleMemory {
  userId: string;
  served: Served | null;
}

export const battleMemory = storedValue<BattleMemory>(
  "battle",
  (stored) =>
    isRecord(stored) && typeof stored["userId"] === "string"
      ? (stored as unknown as BattleMemory)
      : null,
  "for-this-tab",
);
