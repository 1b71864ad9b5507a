import { useMutation, useQueryClient } from "@tanstack/react-query";
import { rememberMember } from "@/api/member";
import { invalidateAfter } from "@/api/stale";
import type { Plan } from "@/api/wire";
import { subscribe } from "@/features/subscriptions/api";
import { formatNairaShort } from "@/lib/format/money";
import { Refusal } from "@/lib/live/failures";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

/** Buys a plan; a success closes the details and updates the member's plan everywhere. */
export function useSubscribe(onBought: () => void) {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (plan: Plan) => subscribe(userId, plan),
    onSuccess: async ({ data, message }) => {
      rememberMember(userId, { subscriptionId: data.subscriptionId });
      showToast("success", message || `You are subscribed to ${data.plan}.`);
      if (data.credited > 0) {
        showToast(
          "info",
          `${formatNairaShort(data.credited)} for unused days is back in your wallet.`,
        );
      }
      await invalidateAfter(queryClient, "plan-bought", userId);
      onBought();
    },
    onError: async (error) => {
      showFailure(error);
      // After a lost response the details stay: pressing again repeats the request and gets its
      // outcome.
      if (error instanceof Refusal) {
        await invalidateAfter(queryClient, "plan-refused", userId);
      }
    },
  });
}
