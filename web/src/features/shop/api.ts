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
import { isRecord } from "@/lib/device/storage";
import { Refusal } from "@/lib/live/failures";
import type { CartItem } from "@/lib/session/cart-store";
import { once } from "@/lib/session/idempotency-keys";

const NOT_FOUND_STATUSES = [404, 422];

export const productsQuery = queryOptions({
  queryKey: keys.products,
  queryFn: async ({ signal }) => (await get("/api/v1/products", { signal })).data,
});

/** One product, or null if the shop has none with this id. */
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

/** Payment methods, fees by state, and the member's saved address. */
export function checkoutOptionsQuery(userId: string) {
  return queryOptions({
    queryKey: keys.checkoutOptions(userId),
    queryFn: async ({ signal }) =>
      (await get("/api/v1/products/checkout-options", { signal })).data,
    staleTime: 5 * 60_000,
  });
}

/** Delete the saved address. */
export async function deleteAddress(userId: string): Promise<Answer<null>> {
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

/** One of the member's orders by its id or number, or null. */
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

/** Cancel an order; payments return to the wallet, once however often it is sent. */
export async function cancelOrder(orderId: string): Promise<Answer<CancelledOrder>> {
  return once(`cancel-order:${orderId}`, null, (idempotencyKey) =>
    post("/api/v1/orders/{order_id}/cancel", {}, { inPath: { order_id: orderId }, idempotencyKey }),
  );
}

/** Upload a proof of payment; a repeat after a lost response stores the file once. */
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

interface OrderRequest {
  carts: CartItem[];
  userId: string;
  billing: BillingForm;
  paymentMethod: PaymentMethod;
  /** The displayed fee in naira; null if none is shown. */
  deliveryFee: number | null;
  saveAddress: boolean;
}

/** Place an order; a repeat after a lost response places it once. */
export async function placeOrder(order: OrderRequest): Promise<Answer<PlacedOrder>> {
  const purpose = `checkout:${order.userId}`;
  const carts = order.carts.map(({ id, variantId, price, quantity }) => ({
    id,
    ...(variantId === undefined ? {} : { variantId }),
    price,
    quantity,
  }));
  // Normalised, so that a trailing space does not make another order; an unset state is not sent.
  const billing = Object.entries(order.billing)
    .map(([name, text]) => [name, text.trim()])
    .filter(([name, text]) => name !== "state" || text !== "");
  const body = { ...order, carts, billing: Object.fromEntries(billing) as BillingForm };
  return once(purpose, body, (idempotencyKey) =>
    post("/api/v1/products/checkout", body, { idempotencyKey }),
  );
}

/** The changed or removed lines of a refused checkout; none for any other refusal. */
export function changedLines(error: unknown): ChangedLine[] {
  if (!(error instanceof Refusal) || error.status !== 409 || !isRecord(error.data)) {
    return [];
  }
  const { lines } = error.data;
  return Array.isArray(lines) ? (lines as ChangedLine[]) : [];
}

/** The contents of a member's unpaid orders; `value` is in naira. */
export interface Unpaid {
  units: number;
  value: number;
  orders: number;
}

/** The open orders, if a checkout was refused because too much would be unpaid. */
export function unpaidStock(error: unknown): Unpaid | null {
  return error instanceof Refusal && error.code === "too_much_unpaid"
    ? (error.data as Unpaid)
    : null;
}

/** Today's delivery fee in naira if a refused checkout states it; else null. */
export function changedFee(error: unknown): number | null {
  if (!(error instanceof Refusal) || error.status !== 409 || !isRecord(error.data)) {
    return null;
  }
  const fee = error.data["deliveryFee"];
  return typeof fee === "number" ? fee : null;
}
