import { Link } from "react-router-dom";
import { formatCount } from "@/lib/format/counts";
import { useAnswer, useWholeList } from "~/api/queries";
import { memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

const CALL = "GET /api/v1/admin/orders";
const WAITING = { proof: "waiting" };

/** The orders of all members, and which of them have a receipt waiting for review. */
export default function OrdersPage() {
  const today = useAnswer("GET /api/v1/admin/today");
  const receipts = today.data?.waiting["transferProofs"] ?? 0;
  const listed = useWholeList(CALL, { inQuery: WAITING }, receipts > 0);
  const waiting = new Set((receipts > 0 ? listed.data?.rows : undefined)?.map(({ id }) => id));
  return (
    <ResourceList
      call={CALL}
      noun="order"
      empty="No orders"
      labels={{ method: "Payment", proof: "Receipt" }}
      views={
        receipts > 0 ? (
          <Link className="view" to={`?${new URLSearchParams(WAITING)}`}>
            Receipts waiting ({formatCount(receipts)})
          </Link>
        ) : null
      }
      bulk={[
        {
          call: "POST /api/v1/admin/orders/{order_id}/ship",
          text: (count) => `Mark ${formatCount(count)} as shipped`,
          requestOf: ({ id, status }) =>
            status === "processing" ? { inPath: { order_id: id }, body: {} } : null,
        },
        {
          call: "POST /api/v1/admin/orders/{order_id}/deliver",
          text: (count) => `Mark ${formatCount(count)} as delivered`,
          requestOf: ({ id, status }) =>
            status === "shipped" ? { inPath: { order_id: id } } : null,
        },
      ]}
      to={(order) => `/orders/${order.orderNumber}`}
      columns={[
        {
          title: "Order",
          value: (order) => order.orderNumber,
          show: ({ orderNumber }) => <span className="is-whole">{orderNumber}</span>,
        },
        { title: "Placed", as: "moment", value: (order) => order.createdAt },
        { title: "Member", value: (order) => memberName(order.member) },
        { title: "Status", as: "state", value: (order) => order.status },
        {
          title: "Receipt",
          as: "state",
          value: ({ id }) => (waiting.has(id) ? "waiting" : null),
        },
        {
          title: "Payment method",
          minor: true,
          as: "word",
          value: (order) => order.payment_method,
        },
        { title: "Total", as: "naira", value: (order) => order.total, total: true },
      ]}
    />
  );
}
