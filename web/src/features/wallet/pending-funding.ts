import { useSyncExternalStore } from "react";
import { isRecord, storedValue } from "@/lib/device/storage";

/** A pending payment, stored so that a reload does not lose it. */
export interface PendingFunding {
  userId: string;
  reference: string;
  amount: number;
  /** The provider's own page, in case its frame does not open here. */
  link: string;
  /**
   * `paying`: at the provider. `confirming`: the provider reports success, we poll until it is
   * known. `late`: polled long enough; the server continues automatically.
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

/** The member's pending payment, or null. */
export function usePendingFunding(userId: string): PendingFunding | null {
  const pending = useSyncExternalStore(pendingFunding.subscribe, pendingFunding.read);
  return pending?.userId === userId ? pending : null;
}

/** Move the payment `reference` to another phase; ignored if it is no longer the pending one. */
export function enterPhase(reference: string, phase: PendingFunding["phase"]): void {
  const pending = pendingFunding.read();
  if (pending?.reference === reference && pending.phase !== phase) {
    pendingFunding.write({ ...pending, phase, since: Date.now() });
  }
}

/** Remove the payment `reference`, however it ended. */
export function clearFunding(reference: string): void {
  if (pendingFunding.read()?.reference === reference) {
    pendingFunding.clear();
  }
}
