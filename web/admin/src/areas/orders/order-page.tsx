import { Link, useParams } from "react-router-dom";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { formatDate, formatShortMoment } from "@/lib/format/dates";
import { formatNaira } from "@/lib/format/money";
import { useAnswer } from "~/api/queries";
import { AskForRefund } from "~/areas/orders/ask-for-refund";
import { CancelOrder } from "~/areas/orders/cancel-order";
import { ConfirmTransfer } from "~/areas/orders/confirm-transfer";
import type { Order } from "~/areas/orders/order";
import { PackingSlip, PrintSlip, type PrintSlipProps } from "~/areas/orders/packing-slip";
import { Proofs } from "~/areas/orders/proofs";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { BankName } from "~/parts/bank-name";
import { Facts } from "~/parts/facts";
import { MemberLink } from "~/parts/member-link";
import { OrderNotes } from "~/parts/notes";
import { RowsTable } from "~/parts/rows-table";
import { StateBadge } from "~/parts/state-badge";
import { Timeline } from "~/parts/timeline";

/** An order: items, payments, history and the available actions. */
export default function OrderPage() {
  const { order = "" } = useParams();
  const asked = useAnswer("GET /api/v1/admin/orders/{order}", { inPath: { order } });
  const isStillToSend = async () => (await asked.refetch()).data?.status === "processing";
  return (
    <Loaded query={asked} pending={<ScreenSkeleton />}>
      {(found) => (
        <div className="office-columns order-screen">
          {found.status === "processing" ? <PackingSlip order={found} /> : null}
          <div className="screen">
            <Head order={found} isStillToSend={isStillToSend} />
            <Lines order={found} />
            <Transfers order={found} />
            <Proofs order={found} />
          </div>
          <div className="screen">
            <OrderNotes id={found.id} hasLeft={hasNoAddress(found)} />
            <Panel title="Timeline">
              <Timeline
                entries={found.events.map(({ kind, status, at, by, note }) => ({
                  key: `${kind} ${at}`,
                  at,
                  text: `${labelOf(kind)} (${by})`,
                  note: note ?? labelOf(status),
                }))}
              />
            </Panel>
          </div>
        </div>
      )}
    </Loaded>
  );
}

function Head({ order, isStillToSend }: { order: Order } & PrintSlipProps) {
  return (
    <Panel title={order.orderNumber} action={<StateBadge state={order.status} />}>
      <Facts
        facts={{
          Member: <MemberLink member={order.member} />,
          Placed: formatShortMoment(order.createdAt),
          "Payment method": labelOf(order.payment_method),
          "Pay before":
            order.payBy === null || order.is_paid ? null : formatShortMoment(order.payBy),
          "Ship to": addressOf(order),
        }}
      />
      <OpenCases order={order} />
      <div className="buttons">
        <ConfirmTransfer order={order} />
        <OrderMoves order={order} />
        <AskForRefund order={order} />
        <CancelOrder order={order} />
        {order.status === "processing" ? <PrintSlip isStillToSend={isStillToSend} /> : null}
      </div>
    </Panel>
  );
}

/** What somebody still has to decide about the order's money. */
function OpenCases({ order: { openReviewCases, openRefunds } }: { order: Order }) {
  const cases = [
    ...openReviewCases.map(({ id, amount }) => ({
      id,
      to: "/money/review-cases?state=open",
      text: `A review case of ${formatNaira(amount)} waits to be decided`,
    })),
    ...openRefunds.map(({ id, amount }) => ({
      id,
      to: "/refunds?state=asked",
      text: `A refund of ${formatNaira(amount)} waits to be sent`,
    })),
  ];
  return cases.length === 0 ? null : (
    <ul>
      {cases.map(({ id, to, text }) => (
        <li key={id}>
          <Link to={to}>{text}</Link>
        </li>
      ))}
    </ul>
  );
}

/** The address of a member who has left is gone with them. */
function hasNoAddress({ billing }: Order): boolean {
  return Object.keys(billing).length === 0;
}

function addressOf(order: Order): string {
  if (hasNoAddress(order)) {
    return "Former member";
  }
  const { firstName, lastName, address, state, phone } = order.billing;
  return [`${firstName} ${lastName}`, address, state, phone].filter(Boolean).join(", ");
}

/** The status changes that the order allows. */
function OrderMoves({ order: { id, status } }: { order: Order }) {
  const inPath = { order_id: id };
  return (
    <>
      {status === "processing" ? (
        <Action
          call="POST /api/v1/admin/orders/{order_id}/ship"
          inPath={inPath}
          text="Mark as shipped"
          variant="primary"
        />
      ) : null}
      {status === "shipped" ? (
        <Action
          call="POST /api/v1/admin/orders/{order_id}/deliver"
          inPath={inPath}
          text="Mark as delivered"
          variant="primary"
        />
      ) : null}
    </>
  );
}

function Lines({ order }: { order: Order }) {
  return (
    <Panel title="Items">
      <RowsTable
        rows={order.product_meta_data}
        rowKey={({ line }) => String(line)}
        columns={[
          {
            title: "Product",
            value: ({ name, size }) => [name, size].filter(Boolean).join(", "),
          },
          { title: "Price", as: "naira", value: ({ price }) => price },
          { title: "Quantity", as: "number", value: ({ quantity }) => quantity },
          { title: "Refunded", as: "number", value: ({ refundedQuantity }) => refundedQuantity },
        ]}
      />
      <Facts
        facts={{
          Items: formatNaira(order.itemsTotal),
          Delivery: formatNaira(order.deliveryFee),
          Total: formatNaira(order.total),
          Received: formatNaira(order.received),
          Refunded: formatNaira(order.refundedTotal),
        }}
      />
    </Panel>
  );
}

/** The bank transfers that were confirmed, as the bank's statement has them. */
function Transfers({ order: { transfers } }: { order: Order }) {
  return transfers.length === 0 ? null : (
    <Panel title="Confirmed transfers">
      <RowsTable
        rows={transfers}
        rowKey={({ bank, reference }) => `${bank} ${reference}`}
        columns={[
          {
            title: "Bank",
            value: ({ bank }) => bank,
            show: ({ bank }) => <BankName code={bank} />,
          },
          { title: "Reference", value: ({ reference }) => reference },
          {
            title: "Paid on",
            value: ({ paidOn }) => paidOn,
            show: ({ paidOn }) => (
              <time className="is-whole" dateTime={paidOn}>
                {formatDate(paidOn)}
              </time>
            ),
          },
          { title: "Amount", as: "naira", value: ({ amount }) => amount },
          {
            title: "Confirmed",
            value: ({ confirmedAt }) => confirmedAt,
            show: ({ confirmedAt, confirmedBy }) => (
              <>
                <div>{confirmedBy?.name}</div>
                <time className="muted small is-whole" dateTime={confirmedAt}>
                  {formatShortMoment(confirmedAt)}
                </time>
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}
