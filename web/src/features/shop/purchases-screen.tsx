import "@/features/shop/purchases.css";
import { useQuery } from "@tanstack/react-query";
import { PartyPopper, ShoppingBag } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import type { Order, TransferDetails, TransferProof } from "@/api/wire";
import { buttonClasses } from "@/components/button";
import { CopyButton } from "@/components/copy-button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { checkoutOptionsQuery, orderQuery, ordersQuery } from "@/features/shop/api";
import { ReviewDeadline } from "@/features/shop/proof-of-payment";
import { PurchaseCard } from "@/features/shop/purchase-card";
import { awaitsTransfer, receiptUnderReview } from "@/features/shop/rules";
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
    >
      Each order appears here, from its payment to its delivery.
    </EmptyState>
  );
}

function PurchasesSkeleton() {
  return (
    <div className="purchases-waiting" role="status" aria-label="Loading your orders">
      <Skeleton shape="block" />
    </div>
  );
}

/** The receipt that the club is checking; null without one, undefined while unknown. */
function useReceipt(order: Order): TransferProof | null | undefined {
  const { id } = useMember();
  const isAwaited = awaitsTransfer(order);
  const asked = useQuery({ ...orderQuery(id, order.id), enabled: isAwaited });
  if (isAwaited && asked.isPending) {
    return undefined;
  }
  return isAwaited && asked.data ? receiptUnderReview(asked.data) : null;
}

/** The deadline of an order's bank transfer, while unpaid and without a receipt. */
function PayBefore({ order }: { order: Order }) {
  const receipt = useReceipt(order);
  if (!awaitsTransfer(order) || order.payBy === null || receipt !== null) {
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
  const receipt = useReceipt(order);
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
            <PurchaseCard
              product={product}
              order={order}
              isUnderReview={receipt === undefined ? undefined : receipt !== null}
            />
          </li>
        ))}
      </ul>
      {awaitsTransfer(order) ? (
        <Payment order={order} transfer={transfer} receipt={receipt} />
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

interface PaymentProps extends OrderGroupProps {
  receipt: TransferProof | null | undefined;
}

/** How to pay an order, or until when its receipt is checked. */
function Payment({ order, transfer, receipt }: PaymentProps) {
  if (receipt) {
    return <ReviewDeadline receipt={receipt} />;
  }
  if (receipt === undefined || transfer === undefined) {
    return <TransferWaiting />;
  }
  return (
    <>
      <p className="small">
        <PayBefore order={order} />
      </p>
      {transfer ? (
        <TransferInstructions details={transfer} orderNumber={order.orderNumber} />
      ) : null}
    </>
  );
}
