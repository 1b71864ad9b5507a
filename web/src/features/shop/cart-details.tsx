import "@/features/shop/cart.css";
import "@/features/shop/checkout.css";
import type { ReactNode } from "react";
import { Panel } from "@/components/panel";
import { ProductPicture } from "@/components/product-picture";
import { StatusBadge } from "@/components/status-badge";
import { useCart } from "@/features/shop/cart-context";
import { isOrderable } from "@/features/shop/rules";
import { type CartItem, cartTotal } from "@/lib/cart-store";
import { formatDollars, formatNaira, timesQuantity } from "@/lib/money";

interface CartDetailsProps {
  cart: CartItem[];
  /** What has changed since the cart was filled, for the member to agree with. */
  changes: string[];
  /** The button that orders. */
  children: ReactNode;
}

/** What is ordered: each item with its quantity and line total, and the total. */
export function CartDetails({ cart, changes, children }: CartDetailsProps) {
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
          <DetailLine key={item.id} item={item} />
        ))}
      </ul>
      <p className="cart-total">
        <span>Total</span>
        <span className="numeral">{formatNaira(cartTotal(cart))}</span>
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
        {item.name} x {item.quantity}
        {isOrderable(item) ? null : (
          <span className="checkout-gone">
            <StatusBadge tone="error" text="Not available" />
            <button
              type="button"
              className="text-link"
              aria-label={`Remove: ${item.name}`}
              onClick={() => removeFromCart(item.id)}
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
