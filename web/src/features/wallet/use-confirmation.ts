import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { invalidateAfter } from "@/api/stale";
import { verifyFunding } from "@/features/wallet/api";
import { clearFunding, enterPhase, type PendingFunding } from "@/features/wallet/pending-funding";
import { isDecided } from "@/lib/live/failures";
import { showToast } from "@/lib/ui/toasts";

/** When to poll, in seconds after the provider reported success (B-29). */
const ASK_AGAIN_AT_SECONDS = [3, 6, 12, 30, 60];

const settled = new Set<string>();

/** `refused`: the server refused to answer, so polling ends. */
export type Ending = "credited" | "failed" | "refused";

/**
 * Poll a payment's outcome and notify the member once, from whichever source it came.
 *
 * `onEnded` gets each ending learned here, including ones already notified.
 */
export function useConfirm(
  userId: string,
  onEnded: (reference: string, ending: Ending) => void,
): (reference: string) => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async (reference: string) => {
      const end = await readEnd(reference);
      if (end === null) {
        return;
      }
      const { ending, sentence } = end;
      onEnded(reference, ending);
      if (settled.has(reference)) {
        return;
      }
      if (ending !== "refused") {
        settled.add(reference);
      }
      clearFunding(reference);
      showToast(ending === "credited" ? "success" : "error", sentence);
      if (ending === "credited") {
        await invalidateAfter(queryClient, "payment-settled", userId);
      }
    },
    [queryClient, userId, onEnded],
  );
}

/** A payment's outcome and its text; null while unknown. */
async function readEnd(reference: string): Promise<{ ending: Ending; sentence: string } | null> {
  try {
    const { status } = await verifyFunding(reference);
    if (status === "pending") {
      return null;
    }
    return status === "success"
      ? { ending: "credited", sentence: "Successfully funded your wallet." }
      : { ending: "failed", sentence: "Wallet funding failed." };
  } catch (error) {
    // After a lost connection the next try may work; a refusal is final.
    return isDecided(error)
      ? { ending: "refused", sentence: `Wallet funding failed. ${error.message}` }
      : null;
  }
}

/** While a payment is being confirmed, poll at 3, 6, 12, 30 and 60 seconds, also after a reload. */
export function useReasking(
  pending: PendingFunding | null,
  confirm: (reference: string) => Promise<void>,
): void {
  const reference = pending?.phase === "confirming" ? pending.reference : null;
  const since = pending?.since ?? 0;
  useEffect(() => {
    if (reference === null) {
      return;
    }
    const elapsedMs = Date.now() - since;
    const delays = ASK_AGAIN_AT_SECONDS.map((seconds) => seconds * 1000 - elapsedMs);
    const left = delays.filter((delayMs) => delayMs > 0);
    const timers = left.map((delayMs) => setTimeout(() => void confirm(reference), delayMs));
    const lastAsk = Math.max(0, ...left);
    const giveUp = async () => {
      if (left.length === 0) {
        await confirm(reference);
      }
      enterPhase(reference, "late");
    };
    timers.push(setTimeout(() => void giveUp(), lastAsk + (left.length > 0 ? 8000 : 0)));
    return () => timers.forEach(clearTimeout);
  }, [reference, since, confirm]);
}

/** Poll `reference` when another tab has stopped waiting for it: that tab knows how it ended. */
export function useCodeRequestElsewhere(
  reference: string | null,
  pending: PendingFunding | null,
  confirm: (reference: string) => Promise<void>,
): void {
  const isForgotten = reference !== null && pending?.reference !== reference;
  useEffect(() => {
    if (isForgotten) {
      void confirm(reference);
    }
  }, [isForgotten, reference, confirm]);
}
