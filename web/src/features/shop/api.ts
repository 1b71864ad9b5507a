import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "@/api/calls";
import { get, post, remove } from "@/api/client";
import { keys } from "@/api/query-keys";
import { upload } from "@/api/upload";
import type {
  BillingForm,
  CancelledOrder,
  ChangedLine,
  OrderDetail,
  PaymentMethod,
  PlacedOrder,
  Product,
  UploadedProof,
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

/** Ways to pay, fees by state, and the address that the member kept. */
export function checkoutOptionsQuery(userId: string) {
  return queryOptions({
    queryKey: keys.checkoutOptions(userId),
    queryFn: async ({ signal }) =>
      (await get("/api/v1/products/checkout-options", { signal })).data,
    staleTime: 5 * 60_000,
  });
}

/** Forget the address that was kept for the next order. */
export async function forgetAddress(userId: string): Promise<Answer<null>> {
  return remove("/api/v1/users/{user_id}/address", null, { inPath: { user_id: userId } });
}

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

/** Upload a proof of payment; sent again after a lost answer, the same file is kept once. */
export function uploadProof(
  orderId: string,
  file: File,
  onProgress: (share: number) => void,
): Promise<Answer<UploadedProof>> {
  const { name, size, lastModified } = file;
  const inPath = { order_id: orderId };
  return once(`proof:${orderId}`, { name, size, lastModified }, (idempotencyKey) =>
    upload("/api/v1/orders/{order_id}/proof", { file }, { inPath, idempotencyKey, onProgress }),
  );
}

interface OrderWish {
  carts: CartItem[];
  userId: string;
  billing: BillingForm;
  paymentMethod: PaymentMethod;
  /** The fee the member sees, in naira; null when none is shown. */
  deliveryFee: number | null;
  saveAddress: boolean;
}

/** Place an order; the same wish, sent again after a lost answer, is placed once. */
export async function placeOrder(wish: OrderWish): Promise<Answer<PlacedOrder>> {
  const purpose = `checkout:${wish.userId}`;
  const carts = wish.carts.map(({ id, variantId, price, quantity }) => ({
    id,
    ...(variantId === undefined ? {} : { variantId }),
    price,
    quantity,
  }));
  // A space at an end is no other wish; a state that was not chosen is not sent.
  const written = Object.entries(wish.billing)
    .map(([name, text]) => [name, text.trim()])
    .filter(([name, text]) => name !== "state" || text !== "");
  const body = { ...wish, carts, billing: Object.fromEntries(written) as BillingForm };
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

/** What a member's unpaid orders hold; `value` is in naira. */
export interface Unpaid {
  units: number;
  value: number;
  orders: number;
}

/** What is open already where a checkout was refused because too much would be unpaid. */
export function unpaidStock(error: unknown): Unpaid | null {
  return error instanceof Refusal && error.code === "too_much_unpaid"
    ? (error.data as Unpaid)
    : null;
}

/** Today's delivery fee in naira where a refused checkout names it; null for any other refusal. */
export function changedFee(error: unknown): number | null {
  if (!(error instanceof Refusal) || error.status !== 409 || !isRecord(error.data)) {
    return null;
  }
  const fee = error.data["deliveryFee"];
  return typeof fee === "number" ? fee : null;
}
