import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { reloadMoney, verifyFunding } from "@/features/wallet/api";
import { enterPhase, forgetFunding, type PendingFunding } from "@/features/wallet/pending-funding";
import { Refusal } from "@/lib/failures";
import { showToast } from "@/lib/toasts";

/** When to ask again, in seconds after the provider said that the payment is done (B-29). */
export const ASK_AGAIN_AT_SECONDS = [3, 6, 12, 30, 60];

const settled = new Set<string>();

/** Ask how a payment ended and tell the member once, whoever brought the news. */
export function useConfirm(userId: string): (reference: string) => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async (reference: string) => {
      try {
        const { status } = await verifyFunding(reference);
        if (status === "pending" || settled.has(reference)) {
          return;
        }
        settled.add(reference);
        forgetFunding(reference);
        if (status === "success") {
          showToast("success", "Successfully funded your wallet.");
          await reloadMoney(queryClient, userId);
        } else {
          showToast("error", "Wallet funding failed.");
        }
      } catch (error) {
        // Without a connection the next try may do; a refusal is the end of it.
        if (error instanceof Refusal && error.status < 500 && error.status !== 429) {
          forgetFunding(reference);
          showToast("error", `Wallet funding failed. ${error.message}`);
        }
      }
    },
    [queryClient, userId],
  );
}

/** While a payment is being confirmed, ask at 3, 6, 12, 30 and 60 seconds, also after a reload. */
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
