import type { Served } from "@/features/battle/events";
import { isRecord, storedValue } from "@/lib/device/storage";

/** That a member is in the zone, and the last question: restores the game after a reload. */
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
