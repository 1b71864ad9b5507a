import { formatCount } from "@/lib/format/counts";
import { memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

/** The orders of all members. */
export default function OrdersPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/orders"
      noun="order"
      empty="No orders"
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
        { title: "Paid by", as: "word", value: (order) => order.payment_method },
        { title: "Total", as: "naira", value: (order) => order.total, total: true },
      ]}
    />
  );
}
