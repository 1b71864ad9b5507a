import "@/features/shop/order-screen.css";
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, PackageX } from "lucide-react";
import { useState } from "react";
import { Link, useParams } from "react-router-dom";
import { receiptPage } from "@/api/receipts";
import type { OrderDetail } from "@/api/wire";
import { Button, buttonClasses } from "@/components/button";
import { CopyButton } from "@/components/copy-button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ReceiptButton } from "@/components/receipt-button";
import { Skeleton } from "@/components/skeleton";
import { orderQuery } from "@/features/shop/api";
import { CancelOrder } from "@/features/shop/cancel-order";
import { OrderTimeline } from "@/features/shop/order-timeline";
import { ProofOfPayment } from "@/features/shop/proof-of-payment";
import { PurchaseCard } from "@/features/shop/purchase-card";
import { awaitsTransfer, receiptUnderReview } from "@/features/shop/rules";
import { TransferInstructions } from "@/features/shop/transfer-instructions";
import { formatMoment } from "@/lib/format/dates";
import { formatNaira } from "@/lib/format/money";
import { paths } from "@/lib/format/paths";
import { useMember } from "@/lib/session/session";

/** One order, by its id or number: contents, payment and history. */
export default function OrderScreen() {
  const { id } = useMember();
  const { id: order = "" } = useParams();
  const asked = useQuery(orderQuery(id, order));
  return (
    <div className="order-screen">
      <Link className="text-link" to={paths.shopping}>
        <ArrowLeft aria-hidden="true" /> All orders
      </Link>
      <Loaded query={asked} pending={<OrderSkeleton />}>
        {(found) => (found === null ? <NoSuchOrder /> : <Detail order={found} />)}
      </Loaded>
    </div>
  );
}

function NoSuchOrder() {
  return (
    <EmptyState
      icon={PackageX}
      title="Order not found"
      action={
        <Link className={buttonClasses("secondary")} to={paths.shopping}>
          Go to your orders
        </Link>
      }
    />
  );
}

function OrderSkeleton() {
  return (
    <div className="order-waiting" role="status" aria-label="Loading the order">
      <Skeleton shape="block" />
    </div>
  );
}

function Detail({ order }: { order: OrderDetail }) {
  const [cancelling, setCancelling] = useState(false);
  const isUnderReview = receiptUnderReview(order) !== null;
  return (
    <>
      <header className="order-title">
        <h2>{order.orderNumber}</h2>
        <CopyButton text={order.orderNumber} label="order number" />
        <p className="small muted">Placed {formatMoment(order.createdAt)}</p>
      </header>
      <div className="order-columns">
        <div className="order-main">
          {awaitsTransfer(order) && !isUnderReview ? <HowToPay order={order} /> : null}
          <ProofOfPayment order={order} />
          <Panel title="Products">
            <ul className="purchase-grid">
              {order.product_meta_data.map((product) => (
                <li key={product.line}>
                  <PurchaseCard product={product} order={order} isUnderReview={isUnderReview} />
                </li>
              ))}
            </ul>
            <Sums order={order} />
          </Panel>
          <Address billing={order.billing} />
        </div>
        <div className="order-main">
          <Panel title="Timeline">
            <OrderTimeline events={order.events} />
          </Panel>
          {order.is_paid ? (
            <ReceiptButton of={order.orderNumber} findPage={() => receiptPage("order", order.id)} />
          ) : null}
          {order.canCancel ? (
            <Button variant="danger" wide onClick={() => setCancelling(true)}>
              Cancel order
            </Button>
          ) : null}
        </div>
      </div>
      {cancelling ? <CancelOrder order={order} onClose={() => setCancelling(false)} /> : null}
    </>
  );
}

/** The transfer's deadline, the missing amount, and the shipping address. */
function HowToPay({ order }: { order: OrderDetail }) {
  const missing = order.total - order.received;
  return (
    <Panel title="Payment">
      {order.payBy === null ? null : (
        <p>
          Pay before <time dateTime={order.payBy}>{formatMoment(order.payBy)}</time>
        </p>
      )}
      {order.received > 0 ? (
        <p className="notice">
          <span>
            {formatNaira(order.received)} has arrived. Please send the missing{" "}
            <strong>{formatNaira(missing)}</strong>.
          </span>
        </p>
      ) : null}
      {order.transfer ? (
        <TransferInstructions details={order.transfer} orderNumber={order.orderNumber} />
      ) : null}
    </Panel>
  );
}

function Sums({ order }: { order: OrderDetail }) {
  const owed =
    order.status === "cancelled" && order.is_paid ? order.total - order.refundedTotal : 0;
  return (
    <>
      <Amounts order={order} />
      {order.underReview > 0 ? (
        <p className="notice">
          You sent {formatNaira(order.underReview)} more than the order costs. The club is checking
          it before it goes to your wallet.
        </p>
      ) : null}
      {owed > 0 ? (
        <p className="notice">
          {formatNaira(owed)} still has to be returned to your wallet. Someone at the club has to
          send it.
        </p>
      ) : null}
    </>
  );
}

function Amounts({ order }: { order: OrderDetail }) {
  return (
    <dl className="details order-sums">
      <Line term="Products" value={formatNaira(order.itemsTotal)} />
      <Line term="Delivery" value={formatNaira(order.deliveryFee)} />
      <Line term="Total" value={formatNaira(order.total)} />
      {order.refundedTotal > 0 ? (
        <Line term="Back in your wallet" value={formatNaira(order.refundedTotal)} />
      ) : null}
    </dl>
  );
}

function Line({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The shipping address; a deleted account has none. */
function Address({ billing }: { billing: OrderDetail["billing"] }) {
  const text = (name: string) => String(billing[name] ?? "");
  return (
    <Panel title="Shipping Address">
      <address className="order-address">
        <strong>{`${text("firstName")} ${text("lastName")}`.trim()}</strong>
        <span>{text("address")}</span>
        {text("state") ? <span>{text("state")}</span> : null}
        <span>{text("phone")}</span>
      </address>
    </Panel>
  );
}
