import { queryOptions } from "@tanstack/react-query";
import { type Answer, get, post } from "@/api/client";
import { keys } from "@/api/query-keys";
import type {
  Billing,
  CancelledOrder,
  ChangedLine,
  OrderDetail,
  PaymentMethod,
  PlacedOrder,
  Product,
} from "@/api/wire";
import { once } from "@/lib/attempts";
import type { CartItem } from "@/lib/cart-store";
import { Refusal } from "@/lib/failures";
import { isRecord } from "@/lib/storage";

const NOT_FOUND_STATUSES = [404, 422];

export const productsQuery = queryOptions({
  queryKey: keys.products,
  queryFn: async ({ signal }) => (await get("/api/v1/products", { signal })).data,
});

/** One product, or null when the shop has none of this id. */
export function productQuery(id: string) {
  return queryOptions({
    queryKey: keys.product(id),
    queryFn: async ({ signal }): Promise<Product | null> => {
      try {
        return (await get("/api/v1/products/{product_id}", { inPath: { product_id: id }, signal }))
          .data;
      } catch (error) {
        if (error instanceof Refusal && NOT_FOUND_STATUSES.includes(error.status)) {
          return null;
        }
        throw error;
      }
    },
  });
}

export const checkoutOptionsQuery = queryOptions({
  queryKey: keys.checkoutOptions,
  queryFn: async ({ signal }) => (await get("/api/v1/products/checkout-options", { signal })).data,
  staleTime: 5 * 60_000,
});

/** The member's orders, newest first. */
export function ordersQuery(userId: string) {
  return queryOptions({
    queryKey: keys.orders(userId),
    queryFn: async ({ signal }) => {
      const inPath = { user_id: userId };
      return (await get("/api/v1/products/user/{user_id}", { inPath, signal })).data;
    },
  });
}

/** One of the member's orders by its id or number, or null when they have none of it. */
export function orderQuery(userId: string, order: string) {
  return queryOptions({
    queryKey: keys.order(userId, order),
    queryFn: async ({ signal }): Promise<OrderDetail | null> => {
      try {
        return (await get("/api/v1/orders/{order}", { inPath: { order }, signal })).data;
      } catch (error) {
        if (error instanceof Refusal && NOT_FOUND_STATUSES.includes(error.status)) {
          return null;
        }
        throw error;
      }
    },
  });
}

/** Cancel an order; what was paid for it goes back to the wallet, once however often it is sent. */
export async function cancelOrder(orderId: string): Promise<Answer<CancelledOrder>> {
  return once(`cancel-order:${orderId}`, null, (idempotencyKey) =>
    post("/api/v1/orders/{order_id}/cancel", {}, { inPath: { order_id: orderId }, idempotencyKey }),
  );
}

interface OrderWish {
  carts: CartItem[];
  userId: string;
  billing: Billing;
  paymentMethod: PaymentMethod;
}

/** Place an order; the same wish, sent again after a lost answer, is placed once. */
export async function placeOrder(wish: OrderWish): Promise<Answer<PlacedOrder>> {
  const purpose = `checkout:${wish.userId}`;
  const carts = wish.carts.map(({ id, price, quantity }) => ({ id, price, quantity }));
  const written = Object.entries(wish.billing).map(([name, text]) => [name, text.trim()]);
  // A space at an end is no other wish.
  const body = { ...wish, carts, billing: Object.fromEntries(written) as Billing };
  return once(purpose, body, (idempotencyKey) =>
    post("/api/v1/products/checkout", body, { idempotencyKey }),
  );
}

/** The lines that a refused checkout names as changed or gone; none for any other refusal. */
export function changedLines(error: unknown): ChangedLine[] {
  if (!(error instanceof Refusal) || error.status !== 409 || !isRecord(error.data)) {
    return [];
  }
  const { lines } = error.data;
  return Array.isArray(lines) ? (lines as ChangedLine[]) : [];
}
