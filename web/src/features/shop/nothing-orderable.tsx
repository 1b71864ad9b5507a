import { isOrderable } from "@/features/shop/rules";
import type { CartItem } from "@/lib/session/cart-store";

/** Says that no line of the cart can be ordered: samples, or sold out. */
export function NothingOrderable({ cart }: { cart: CartItem[] }) {
  return cart.some(isOrderable) ? null : (
    <p className="notice notice-warn" role="status">
      <span>This cart cannot be ordered: nothing in it is for sale.</span>
    </p>
  );
}
