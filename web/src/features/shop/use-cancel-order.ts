import { useMutation, useQueryClient } from "@tanstack/react-query";
import { invalidateAfter } from "@/api/stale";
import { cancelOrder } from "@/features/shop/api";
import { formatNaira } from "@/lib/format/money";
import { Refusal } from "@/lib/live/failures";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

/** Cancels an order; invalidates queries also if it has moved on meanwhile. */
export function useCancelOrder(onDecided: () => void) {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: cancelOrder,
    onSuccess: async ({ data }) => {
      const back = data.refunded > 0 ? ` ${formatNaira(data.refunded)} is in your wallet.` : "";
      showToast("success", `Your order is cancelled.${back}`);
      await invalidateAfter(queryClient, "order-cancelled", userId);
      onDecided();
    },
    onError: async (error) => {
      showFailure(error);
      // After a lost response the dialog stays: pressing again repeats the request and gets its
      // outcome.
      if (error instanceof Refusal) {
        await invalidateAfter(queryClient, "order-cancelled", userId);
        onDecided();
      }
    },
  });
}
