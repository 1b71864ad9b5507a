import { formatNaira } from "@/lib/format/money";
import { useMay } from "~/api/operator";
import type { Order } from "~/areas/orders/order";
import { Action } from "~/parts/action";

const CAN_BE_CANCELLED = ["pending", "processing"];

/** Cancel an order on behalf of the club; the dialog explains what happens to the money. */
export function CancelOrder({ order }: { order: Order }) {
  const maySend = useMay("POST /api/v1/admin/refunds/{refund_id}/send");
  if (!CAN_BE_CANCELLED.includes(order.status)) {
    return null;
  }
  return (
    <Action
      call="POST /api/v1/admin/orders/{order_id}/cancel"
      inPath={{ order_id: order.id }}
      text="Cancel order"
      variant="danger"
      note={
        <div className="form">
          {consequencesOf(order, maySend).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      }
    />
  );
}

/** What cancelling does with the money, in sentences. */
function consequencesOf(order: Order, maySend: boolean): string[] {
  if (order.is_paid) {
    return refundSentences(formatNaira(order.total - order.refundedTotal), maySend);
  }
  if (order.received === 0) {
    return ["Nothing was received for this order, so no money moves."];
  }
  return [
    `The ${formatNaira(order.received)} received so far goes to the member's wallet immediately.`,
    "If it is more than you may credit alone, or the order is your own, it becomes a review case for another operator.",
  ];
}

function refundSentences(left: string, maySend: boolean): string[] {
  const becomes = `The ${left} paid and not refunded yet becomes a refund`;
  const replaced = "It replaces refunds already requested for this order.";
  return maySend
    ? [
        `${becomes}, sent to the member's wallet at once, not to a bank account.`,
        "If it is more than you may refund alone, or the order is your own, a second operator has to approve the refund; the order is cancelled either way.",
        replaced,
      ]
    : [
        `${becomes} to the member's wallet, not to a bank account.`,
        "It waits under Refunds until an operator sends it; a large one needs a second operator's approval.",
        replaced,
      ];
}
