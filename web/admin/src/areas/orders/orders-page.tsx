import { memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

/** The orders of all members. */
export default function OrdersPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/orders"
      empty="No orders"
      to={(order) => `/orders/${order.orderNumber}`}
      columns={[
        { title: "Order", value: (order) => order.orderNumber },
        { title: "Placed", as: "moment", value: (order) => order.createdAt },
        { title: "Member", value: (order) => memberName(order.member) },
        { title: "Status", as: "state", value: (order) => order.status },
        { title: "Paid by", as: "word", value: (order) => order.payment_method },
        { title: "Total", as: "naira", value: (order) => order.total },
      ]}
    />
  );
}
