import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { invalidateAfter } from "@/api/stale";
import type { BillingForm, PaymentMethod } from "@/api/wire";
import { changedFee, changedLines, placeOrder, unpaidStock } from "@/features/shop/api";
import { useCart } from "@/features/shop/cart-context";
import { changeSentences, feeSentences, unpaidSentences, withChanges } from "@/features/shop/rules";
import { paths } from "@/lib/format/paths";
import { Refusal } from "@/lib/live/failures";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

interface Sent {
  billing: BillingForm;
  paymentMethod: PaymentMethod;
  deliveryFee: number | null;
  saveAddress: boolean;
}

/** Sends the order; a success empties the cart and opens the purchases. */
export function useCheckout(onRefusedFields: (fields: Record<string, string>) => void) {
  const { id: userId } = useMember();
  const { cart, replaceCart, clearCart } = useCart();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [changes, setChanges] = useState<string[]>([]);

  const mutation = useMutation({
    mutationFn: (order: Sent) => placeOrder({ carts: cart, userId, ...order }),
    onSuccess: async ({ data, message }) => {
      showToast("success", message);
      await navigate(paths.shopping, { state: { orderNumber: data.orderNumber, userId } });
      clearCart();
      void invalidateAfter(queryClient, "order-placed", userId);
    },
    onError: (error, sent) => {
      showFailure(error);
      const lines = changedLines(error);
      const unpaid = unpaidStock(error);
      setChanges([
        ...changeSentences(cart, lines),
        ...(unpaid ? unpaidSentences(error.message, unpaid) : []),
        ...feeSentences(sent.deliveryFee, changedFee(error)),
      ]);
      replaceCart(withChanges(cart, lines));
      if (error instanceof Refusal) {
        onRefusedFields(billingErrors(error.fields));
        void invalidateAfter(queryClient, "order-refused", userId);
      }
    },
  });

  return { changes, busy: mutation.isPending, order: mutation.mutate };
}

/** The server names a field `billing.phone`; the form's field is `phone`. */
function billingErrors(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, sentence]) => [name.replace(/^billing\./, ""), sentence]),
  );
}
