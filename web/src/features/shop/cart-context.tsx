import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from "react";
import {
  type CartItem,
  type CartProduct,
  cartStore,
  lineKey,
  withOneMore,
  withQuantity,
} from "@/lib/session/cart-store";

interface Cart {
  cart: CartItem[];
  addToCart: (product: CartProduct) => void;
  /** `key`: the line's, by `lineKey`. */
  removeFromCart: (key: string) => void;
  changeQuantity: (key: string, quantity: number) => void;
  /** Replace the lines, such as after the server returned new prices. */
  replaceCart: (cart: CartItem[]) => void;
  clearCart: () => void;
}

const CartContext = createContext<Cart | null>(null);
const NOTHING: CartItem[] = [];

/** Provides this browser's cart, shared by all tabs. */
export function CartProvider({ children }: { children: ReactNode }) {
  const cart = useSyncExternalStore(cartStore.subscribe, cartStore.read) ?? NOTHING;
  const value = useMemo<Cart>(() => {
    const now = () => cartStore.read() ?? NOTHING;
    return {
      cart,
      addToCart: (product) => cartStore.write(withOneMore(now(), product)),
      removeFromCart: (key) => cartStore.write(now().filter((item) => lineKey(item) !== key)),
      changeQuantity: (key, quantity) => cartStore.write(withQuantity(now(), key, quantity)),
      replaceCart: cartStore.write,
      clearCart: cartStore.clear,
    };
  }, [cart]);
  return <CartContext value={value}>{children}</CartContext>;
}

/** The cart; only inside its provider, as the specification requires. */
export function useCart(): Cart {
  const cart = useContext(CartContext);
  if (cart === null) {
    throw new Error("useCart must be used within a CartProvider");
  }
  return cart;
}
