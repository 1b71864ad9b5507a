import type {
  BillingForm,
  ChangedLine,
  Order,
  OrderDetail,
  OrderEvent,
  OrderedProduct,
  Product,
  ProductVariant,
  StateFee,
  TransferProof,
} from "@/api/wire";
import type { BadgeTone } from "@/components/status-badge";
import type { Unpaid } from "@/features/shop/api";
import { counted } from "@/lib/format/counts";
import { formatNaira } from "@/lib/format/money";
import { type CartItem, type CartProduct, lineKey, lineName } from "@/lib/session/cart-store";
import type { FieldErrors } from "@/lib/ui/use-form";

export const SORTINGS = {
  popular: "Best rated",
  cheapest: "Price: low to high",
  dearest: "Price: high to low",
  name: "Name",
} as const;

type Sorting = keyof typeof SORTINGS;

const COMPARE: Record<Sorting, (a: Product, b: Product) => number> = {
  popular: (a, b) => b.star - a.star,
  cheapest: (a, b) => a.price - b.price,
  dearest: (a, b) => b.price - a.price,
  name: (a, b) => a.name.localeCompare(b.name, "en"),
};

/** The matching products in the chosen order ("" keeps the shop's). */
export function findProducts(products: Product[], wanted: string, sorting: string): Product[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const found = products.filter((product) => {
    const text = `${product.name} ${product.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return sorting in COMPARE ? found.sort(COMPARE[sorting as Sorting]) : found;
}

/** Why a product cannot enter the cart, in a word, or null. */
export function stockNote(available: number | undefined): string | null {
  if (available === undefined || available > 5) {
    return null;
  }
  return available <= 0 ? "Sold out" : `Only ${available} left`;
}

/** A product as a cart line, in the chosen size. */
export function inCart({ variants: _, ...product }: Product, chosen?: ProductVariant): CartProduct {
  return chosen === undefined
    ? product
    : { ...product, available: chosen.available, variantId: chosen.id, size: chosen.size };
}

/** The change of a line; one without a size is the default one's. */
function changeOf(item: CartItem, lines: ChangedLine[]): ChangedLine | undefined {
  return (
    lines.find((line) => lineKey(item) === lineKey(line)) ??
    (item.variantId === undefined ? lines.find((line) => line.id === item.id) : undefined)
  );
}

/** The cart with the server's prices and stock; removed products stay visible at quantity 1. */
export function withChanges(cart: CartItem[], lines: ChangedLine[]): CartItem[] {
  return cart.map((item) => {
    const line = changeOf(item, lines);
    if (line === undefined) {
      return item;
    }
    const quantity = Math.max(1, Math.min(item.quantity, line.available));
    return { ...item, price: line.price ?? item.price, available: line.available, quantity };
  });
}

/** A sentence per changed line, to read before trying again. */
export function changeSentences(cart: CartItem[], lines: ChangedLine[]): string[] {
  return lines.flatMap((line) => {
    const before = cart.find((item) => changeOf(item, [line]) === line);
    return changeSentence(line, before) ?? [];
  });
}

function changeSentence(line: ChangedLine, before: CartItem | undefined): string | null {
  const named = line.name === null ? before : { ...line, name: line.name };
  const name = named === undefined ? "A product" : lineName(named);
  if (line.available <= 0 || line.price === null) {
    return `${name} is no longer available.`;
  }
  if (before !== undefined && before.price !== line.price) {
    return `${name} now costs ${formatNaira(line.price)} (was ${formatNaira(before.price)}).`;
  }
  return line.available < line.quantity ? `Only ${line.available} of ${name} left.` : null;
}

/** A sentence for a delivery fee that differs from the displayed one, in naira. */
export function feeSentences(seen: number | null, today: number | null): string[] {
  return today === null || seen === null || today === seen
    ? []
    : [`The delivery now costs ${formatNaira(today)} (was ${formatNaira(seen)}).`];
}

/** Why bank transfer is unavailable for now; `reason` is the server's sentence. */
export function unpaidSentences(reason: string, { units, value, orders }: Unpaid): string[] {
  const held =
    orders === 0
      ? []
      : [
          `${counted(orders, "unpaid order holds", "unpaid orders hold")} ` +
            `${counted(units, "item")} worth ${formatNaira(value)}.`,
        ];
  return [reason, ...held];
}

/** Whether a line can be ordered at all: not a sample, and not known to be sold out. */
export function isOrderable(item: CartItem): boolean {
  return !item.sample && item.available !== 0;
}

/** Only the address is checked; names and phone are marked and left to the server (spec 5). */
export function validateBilling(
  { address, state }: BillingForm,
  stateRequired: boolean,
): FieldErrors<BillingForm> {
  return {
    ...(address.trim() === "" ? { address: "Please fill out the address field" } : {}),
    ...(stateRequired && state === "" ? { state: "Please choose the state" } : {}),
  };
}

/** The delivery fee; null until a state is chosen, or while the fees are unknown. */
export function deliveryFee(states: StateFee[], state: string): number | null {
  return states.find((one) => one.state === state)?.fee ?? null;
}

/** Whether an order waits for its bank transfer. */
export function awaitsTransfer(
  order: Pick<Order, "is_paid" | "payment_method" | "status">,
): boolean {
  return !order.is_paid && order.payment_method === "bank-transfer" && order.status === "pending";
}

/** Closed orders: their payment is no longer expected. */
const CLOSED = ["cancelled", "expired", "refunded"];

/** The receipt of a bank transfer that the club is checking, if any. */
export function receiptUnderReview(
  order: Pick<OrderDetail, "proofs" | "is_paid" | "payment_method" | "status">,
): TransferProof | null {
  return awaitsTransfer(order)
    ? (order.proofs.find(({ state }) => state === "waiting") ?? null)
    : null;
}

/** The payment of a product in an order, in a word; null where the order's state says it all. */
export function paymentBadge(
  { is_paid, status }: Pick<Order, "is_paid" | "status">,
  { quantity, refundedQuantity }: Pick<OrderedProduct, "quantity" | "refundedQuantity">,
): { text: string; tone: BadgeTone } | null {
  if (!is_paid) {
    return { text: "No payment yet", tone: CLOSED.includes(status) ? "neutral" : "error" };
  }
  if (status === "refunded") {
    return null;
  }
  if (refundedQuantity >= quantity) {
    return { text: "Refunded", tone: "neutral" };
  }
  return status === "cancelled"
    ? { text: "Refund pending", tone: "info" }
    : { text: "Paid", tone: "success" };
}

/** How an order's state is shown: pending as an error, finished in grey, the rest as success. */
export function statusTone(status: string): BadgeTone {
  if (status === "pending") {
    return "error";
  }
  return CLOSED.includes(status) ? "neutral" : "success";
}

const EVENTS: Record<OrderEvent["kind"], string> = {
  placed: "Order placed",
  paid: "Payment received",
  transfer_short: "Part of the payment received",
  transfer_late: "Payment received late",
  cancelled: "Order cancelled",
  expired: "Order expired: the payment did not arrive in time",
  shipped: "On its way",
  delivered: "Delivered",
  refunded: "Money returned",
};

/** An order's events, in words. */
export function eventText({ kind, by }: OrderEvent): string {
  if (kind === "cancelled") {
    return by === "member" ? "You cancelled the order" : "The club cancelled the order";
  }
  return EVENTS[kind] ?? kind;
}

const PAYMENT_METHODS: Record<string, string> = {
  wallet: "Wallet",
  "bank-transfer": "Bank Transfer",
};

export function paymentMethodText(method: string): string {
  return PAYMENT_METHODS[method] ?? method;
}
