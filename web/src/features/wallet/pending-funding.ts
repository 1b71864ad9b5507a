import { useSyncExternalStore } from "react";
import { isRecord, storedValue } from "@/lib/storage";

/** A payment on its way, kept so that a reload does not lose it. */
export interface PendingFunding {
  userId: string;
  reference: string;
  amount: number;
  /** The provider's own page, for when its frame does not open here. */
  link: string;
  /**
   * `paying`: at the provider. `confirming`: the provider says it is done, we ask until we know.
   * `late`: asked long enough; the server goes on by itself.
   */
  phase: "paying" | "confirming" | "late";
  /** When this phase began, in epoch milliseconds. */
  since: number;
}

const STORAGE_KEY = "funding";

export const pendingFunding = storedValue<PendingFunding>(STORAGE_KEY, (stored) =>
  isRecord(stored) && typeof stored["reference"] === "string" && typeof stored["since"] === "number"
    ? (stored as unknown as PendingFunding)
    : null,
);

/** The member's payment on its way, or null. */
export function usePendingFunding(userId: string): PendingFunding | null {
  const pending = useSyncExternalStore(pendingFunding.subscribe, pendingFunding.read);
  return pending?.userId === userId ? pending : null;
}

/** Move the payment `reference` to another phase; nothing when it is no longer the pending one. */
export function enterPhase(reference: string, phase: PendingFunding["phase"]): void {
  const pending = pendingFunding.read();
  if (pending?.reference === reference && pending.phase !== phase) {
    pendingFunding.write({ ...pending, phase, since: Date.now() });
  }
}

/** Forget the payment `reference`, however it ended. */
export function forgetFunding(reference: string): void {
  if (pendingFunding.read()?.reference === reference) {
    pendingFunding.clear();
  }
}
