import { isRecord, storedValue } from "@/lib/device/storage";

/** One line of the cart: the product's fields and the quantity (spec 3). */
export interface CartItem {
  id: string;
  name: string;
  price: number;
  description: string;
  image: string;
  thumbnail: string;
  star: number;
  quantity: number;
  /** The size, for a product with sizes. */
  variantId?: string;
  size?: string;
  /** The available stock, if the shop has reported it. */
  available?: number;
  /** Priced in dollars and not for sale: one of the six samples of the detail page. */
  sample?: boolean;
}

export type CartProduct = Omit<CartItem, "quantity">;

export const MAX_QUANTITY = 99;
const STORAGE_KEY = "cart";

export const cartStore = storedValue<CartItem[]>(STORAGE_KEY, (stored) =>
  Array.isArray(stored) ? stored.filter(isCartItem) : null,
);

function isCartItem(item: unknown): item is CartItem {
  return (
    isRecord(item) &&
    typeof item["id"] === "string" &&
    typeof item["name"] === "string" &&
    isAmount(item["price"]) &&
    isAmount(item["quantity"]) &&
    item["quantity"] >= 1
  );
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** The identity of a line: sizes of one product are separate lines. */
export function lineKey({ id, variantId }: Pick<CartItem, "id" | "variantId">): string {
  return variantId === undefined ? id : `${id} ${variantId}`;
}

/** The name of a line: the product, and its size. */
export function lineName({ name, size }: Pick<CartItem, "name" | "size">): string {
  return size === undefined ? name : `${name}, ${size}`;
}

/** The cart after one more of `product`: a known line grows by 1, a new one starts at 1. */
export function withOneMore(cart: CartItem[], product: CartProduct): CartItem[] {
  const key = lineKey(product);
  const known = cart.some((item) => lineKey(item) === key);
  if (!known) {
    return [...cart, { ...product, quantity: 1 }];
  }
  return cart.map((item) =>
    lineKey(item) === key
      ? { ...item, ...product, quantity: Math.min(item.quantity + 1, MAX_QUANTITY) }
      : item,
  );
}

/** The cart with `quantity` of one line, clamped between 1 and the maximum. */
export function withQuantity(cart: CartItem[], key: string, quantity: number): CartItem[] {
  const kept = Math.min(Math.max(Math.trunc(quantity), 1), MAX_QUANTITY);
  return cart.map((item) => (lineKey(item) === key ? { ...item, quantity: kept } : item));
}

/** The naira total of the lines that can be bought: dollars of the samples are never added. */
export function cartTotal(cart: CartItem[]): number {
  const kobo = cart
    .filter((item) => !item.sample)
    .reduce((sum, item) => sum + Math.round(item.price * 100) * item.quantity, 0);
  return kobo / 100;
}
