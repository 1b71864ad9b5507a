import "@/features/shop/purchases.css";
import { useQuery } from "@tanstack/react-query";
import { PartyPopper, ShoppingBag } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import type { Order, TransferDetails } from "@/api/wire";
import { buttonClasses } from "@/components/button";
import { CopyButton } from "@/components/copy-button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { checkoutOptionsQuery, ordersQuery } from "@/features/shop/api";
import { PurchaseCard } from "@/features/shop/purchase-card";
import { awaitsTransfer } from "@/features/shop/rules";
import { TransferInstructions, TransferWaiting } from "@/features/shop/transfer-instructions";
import { isRecord } from "@/lib/device/storage";
import { formatMoment } from "@/lib/format/dates";
import { formatNaira } from "@/lib/format/money";
import { paths } from "@/lib/format/paths";
import { useMember } from "@/lib/session/session";

/** All orders, newest first, each with a card per product and, while unpaid, how to pay it. */
export default function PurchasesScreen() {
  const { id } = useMember();
  const placedOrder = usePlacedOrder(id);
  const orders = useQuery(ordersQuery(id));
  const options = useQuery(checkoutOptionsQuery(id));
  const transfer = options.isPending ? undefined : (options.data?.bankTransfer ?? null);
  const placed = orders.data?.find((order) => order.orderNumber === placedOrder);
  return (
    <div className="purchases">
      <p className="muted">Products you have shopped for or purchased</p>
      {placedOrder ? (
        <p className="notice order-placed">
          <PartyPopper aria-hidden="true" />
          <span>
            Thank you. Your order number is <strong>{placedOrder}</strong>.{" "}
            {placed ? <PayBefore order={placed} /> : null}
          </span>
        </p>
      ) : null}
      <Loaded query={orders} pending={<PurchasesSkeleton />}>
        {(all) =>
          all.length === 0 ? (
            <NoPurchases />
          ) : (
            all.map((order) => <OrderGroup key={order.id} order={order} transfer={transfer} />)
          )
        }
      </Loaded>
    </div>
  );
}

/** The number of the order that the member has just placed, or null. */
function usePlacedOrder(memberId: string): string | null {
  const { state } = useLocation();
  // The browser's history outlives the session: another member's order is not shown.
  const orderNumber = isRecord(state) && state["userId"] === memberId ? state["orderNumber"] : null;
  return typeof orderNumber === "string" ? orderNumber : null;
}

function NoPurchases() {
  return (
    <EmptyState
      icon={ShoppingBag}
      title="Your shopping is empty."
      action={
        <Link className={buttonClasses()} to={paths.products}>
          Go to the shop
        </Link>
      }
    />
  );
}

function PurchasesSkeleton() {
  return (
    <div className="purchases-waiting" role="status" aria-label="Loading your orders">
      <Skeleton shape="block" />
    </div>
  );
}

/** The deadline of an order's bank transfer, while unpaid. */
function PayBefore({ order }: { order: Order }) {
  if (!awaitsTransfer(order) || order.payBy === null) {
    return null;
  }
  return (
    <span>
      Pay before <time dateTime={order.payBy}>{formatMoment(order.payBy)}</time>
    </span>
  );
}

interface OrderGroupProps {
  order: Order;
  /** Where to pay by bank transfer; undefined while loading. */
  transfer: TransferDetails | null | undefined;
}

function OrderGroup({ order, transfer }: OrderGroupProps) {
  return (
    <section className="order" aria-label={`Order ${order.orderNumber}`}>
      <header className="order-header">
        <h2>{order.orderNumber}</h2>
        <CopyButton text={order.orderNumber} label="order number" />
        <span className="small muted order-date">{formatMoment(order.createdAt)}</span>
        <strong className="order-total">{formatNaira(order.total)}</strong>
      </header>
      <ul className="purchase-grid">
        {order.product_meta_data.map((product) => (
          <li key={product.line}>
            <PurchaseCard product={product} order={order} />
          </li>
        ))}
      </ul>
      {awaitsTransfer(order) ? (
        <>
          <p className="small">
            <PayBefore order={order} />
          </p>
          {transfer === undefined ? <TransferWaiting /> : null}
          {transfer ? (
            <TransferInstructions details={transfer} orderNumber={order.orderNumber} />
          ) : null}
        </>
      ) : null}
      <Link
        className={buttonClasses("secondary")}
        to={paths.order(order.id)}
        aria-label={`View order ${order.orderNumber}`}
      >
        View order
      </Link>
    </section>
  );
}
