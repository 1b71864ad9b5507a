import "@/features/shop/cart.css";
import "@/features/shop/checkout.css";
import type { ReactNode } from "react";
import { Panel } from "@/components/panel";
import { ProductPicture } from "@/components/product-picture";
import { StatusBadge } from "@/components/status-badge";
import { useCart } from "@/features/shop/cart-context";
import { isOrderable } from "@/features/shop/rules";
import { formatDollars, formatNaira, plusNaira, timesQuantity } from "@/lib/format/money";
import { type CartItem, cartTotal, lineKey, lineName } from "@/lib/session/cart-store";

interface CartDetailsProps {
  cart: CartItem[];
  /** The changes since the cart was filled, for the member to accept. */
  changes: string[];
  /** The delivery fee in naira; null while unknown. */
  deliveryFee: number | null;
  /** The order button. */
  children: ReactNode;
}

/** The order summary: each item with its quantity and line total, and the total. */
export function CartDetails({ cart, changes, deliveryFee, children }: CartDetailsProps) {
  return (
    <Panel title="Cart Details" className="checkout-cart">
      {changes.length > 0 ? (
        <div className="notice notice-warn" role="alert">
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </div>
      ) : null}
      <ul className="checkout-lines">
        {cart.map((item) => (
          <DetailLine key={lineKey(item)} item={item} />
        ))}
      </ul>
      {deliveryFee === null ? null : (
        <p className="checkout-delivery">
          <span>Delivery</span>
          <strong>{deliveryFee === 0 ? "Free" : formatNaira(deliveryFee)}</strong>
        </p>
      )}
      <p className="cart-total">
        <span>Total</span>
        <span className="numeral">{formatNaira(plusNaira(cartTotal(cart), deliveryFee ?? 0))}</span>
      </p>
      {children}
    </Panel>
  );
}

function DetailLine({ item }: { item: CartItem }) {
  const { removeFromCart } = useCart();
  const format = item.sample ? formatDollars : formatNaira;
  return (
    <li className="checkout-line">
      <ProductPicture src={item.thumbnail} size={48} />
      <span>
        {lineName(item)} x {item.quantity}
        {isOrderable(item) ? null : (
          <span className="checkout-gone">
            <StatusBadge tone="error" text="Not available" />
            <button
              type="button"
              className="text-link"
              aria-label={`Remove: ${lineName(item)}`}
              onClick={() => removeFromCart(lineKey(item))}
            >
              Remove
            </button>
          </span>
        )}
      </span>
      <strong>{format(timesQuantity(item.price, item.quantity))}</strong>
    </li>
  );
}
