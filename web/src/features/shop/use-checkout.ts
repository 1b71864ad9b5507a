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
import type { CartItem } from "@/lib/session/cart-store";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

interface Sent {
  billing: BillingForm;
  paymentMethod: PaymentMethod;
  deliveryFee: number | null;
  saveAddress: boolean;
}

/**
 * Sends the order; a success empties the cart and opens the purchases.
 *
 * Until that screen is there, this one stays as it was sent: `cart` is what was ordered, and `busy`
 * stays true.
 */
export function useCheckout(onRefusedFields: (fields: Record<string, string>) => void) {
  const { id: userId } = useMember();
  const { cart, replaceCart, clearCart } = useCart();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [changes, setChanges] = useState<string[]>([]);
  const [sent, setSent] = useState<CartItem[] | null>(null);

  const mutation = useMutation({
    mutationFn: (order: Sent) => placeOrder({ carts: cart, userId, ...order }),
    onMutate: () => setSent(cart),
    onSuccess: async ({ data, message }) => {
      showToast("success", message);
      await navigate(paths.shopping, { state: { orderNumber: data.orderNumber, userId } });
      clearCart();
      void invalidateAfter(queryClient, "order-placed", userId);
    },
    onError: (error, order) => {
      setSent(null);
      showFailure(error);
      const lines = changedLines(error);
      const unpaid = unpaidStock(error);
      setChanges([
        ...changeSentences(cart, lines),
        ...(unpaid ? unpaidSentences(error.message, unpaid) : []),
        ...feeSentences(order.deliveryFee, changedFee(error)),
      ]);
      replaceCart(withChanges(cart, lines));
      if (error instanceof Refusal) {
        onRefusedFields(billingErrors(error.fields));
        void invalidateAfter(queryClient, "order-refused", userId);
      }
    },
  });

  return { changes, cart: sent ?? cart, busy: sent !== null, order: mutation.mutate };
}

/** The server names a field `billing.phone`; the form's field is `phone`. */
function billingErrors(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, sentence]) => [name.replace(/^billing\./, ""), sentence]),
  );
}
