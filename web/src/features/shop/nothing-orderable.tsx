import { isOrderable } from "@/features/shop/rules";
import type { CartItem } from "@/lib/cart-store";

/** Says that a cart holds nothing that can be ordered: samples, or what is sold out. */
export function NothingOrderable({ cart }: { cart: CartItem[] }) {
  return cart.some(isOrderable) ? null : (
    <p className="notice notice-warn" role="status">
      <span>This cart cannot be ordered: nothing in it is for sale.</span>
    </p>
  );
}
