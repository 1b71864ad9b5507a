import "@/features/shop/checkout.css";
import { useQuery } from "@tanstack/react-query";
import { ShoppingCart } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import type { BillingForm, PaymentMethod, SavedAddress } from "@/api/wire";
import { Button, buttonClasses } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { checkoutOptionsQuery } from "@/features/shop/api";
import { CartDetails } from "@/features/shop/cart-details";
import { NothingOrderable } from "@/features/shop/nothing-orderable";
import { PaymentMethods } from "@/features/shop/payment-methods";
import { deliveryFee, isOrderable, validateBilling } from "@/features/shop/rules";
import { ShippingAddress } from "@/features/shop/shipping-address";
import { useCheckout } from "@/features/shop/use-checkout";
import { plusNaira } from "@/lib/format/money";
import { paths } from "@/lib/format/paths";
import { cartTotal } from "@/lib/session/cart-store";
import type { Purchase } from "@/lib/session/purchase";
import { useMember } from "@/lib/session/session";
import { showToast } from "@/lib/ui/toasts";
import { useForm } from "@/lib/ui/use-form";

interface CheckoutProps {
  /** The wallet's balance and shortfall for the order, shown beside the Wallet choice. */
  walletNote: (order: Purchase) => ReactNode;
}

/** Address, payment and contents; a click orders once. */
export function Checkout({ walletNote }: CheckoutProps) {
  const member = useMember();
  const { firstName, lastName, phone } = member;
  const options = useQuery(checkoutOptionsQuery(member.id)).data;
  const states = options?.states ?? [];
  // The call also accepts an order without a state, whose delivery is free; the screen does not.
  const stateRequired = options === undefined || states.length > 0;
  const validate = (values: BillingForm) => validateBilling(values, stateRequired);
  const form = useForm<BillingForm>(
    { firstName, lastName, phone, address: "", state: "" },
    validate,
  );
  const [paymentMethod, setPaymentMethod] = useState<PaymentMethod>("wallet");
  const [saveAddress, setSaveAddress] = useState(false);
  const checkout = useCheckout(form.refuse);
  const { cart } = checkout;

  if (cart.length === 0 && !checkout.busy) {
    return <NothingToOrder />;
  }
  const fee = deliveryFee(states, form.values.state);
  const total = plusNaira(cartTotal(cart), fee ?? 0);
  const isReady = () => {
    for (const sentence of Object.values(validate(form.values))) {
      showToast("error", sentence);
    }
    if (!form.check()) {
      return false;
    }
    if (!cart.every(isOrderable)) {
      showToast("error", "Remove items that are not available before you order.");
      return false;
    }
    return true;
  };
  const send = () =>
    checkout.order({ billing: form.values, paymentMethod, deliveryFee: fee, saveAddress });
  const takeOver = ({ state, ...saved }: SavedAddress) => {
    for (const [name, value] of Object.entries({ ...saved, state: state ?? "" })) {
      form.set(name as keyof BillingForm, value);
    }
  };
  return (
    <form
      ref={form.ref}
      className="checkout"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady()) {
          send();
        }
      }}
    >
      <ShippingAddress
        billing={form.values}
        errors={form.errors}
        states={states}
        stateRequired={stateRequired}
        saved={options?.savedAddress ?? null}
        keeps={saveAddress}
        onChange={form.set}
        onUseSaved={takeOver}
        onKeep={setSaveAddress}
      />
      <PaymentMethods
        chosen={paymentMethod}
        walletNote={walletNote({
          kind: "order",
          // What was sent is paid for: the new balance need not cover it again.
          costNaira: checkout.busy ? 0 : total,
          content: JSON.stringify([cart, form.values, paymentMethod, fee, saveAddress]),
          isReady: () => !checkout.busy && isReady(),
          send,
        })}
        onChoose={setPaymentMethod}
      />
      <CartDetails cart={cart} changes={checkout.changes} deliveryFee={fee}>
        <NothingOrderable cart={cart} />
        <Button
          type="submit"
          wide
          disabled={!cart.some(isOrderable)}
          busy={checkout.busy}
          busyText="Placing the order..."
        >
          Complete Order
        </Button>
      </CartDetails>
    </form>
  );
}

function NothingToOrder() {
  return (
    <EmptyState
      icon={ShoppingCart}
      title="Your cart is empty"
      action={
        <Link className={buttonClasses()} to={paths.products}>
          Go to the shop
        </Link>
      }
    />
  );
}
