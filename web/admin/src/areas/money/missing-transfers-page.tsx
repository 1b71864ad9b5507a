import { formatDate } from "@/lib/format/dates";
import { MoneyTabs } from "~/areas/money/money-tabs";
import { OrderLink } from "~/parts/order-link";
import { ResourceList } from "~/parts/resource-list";

/** Confirmed transfers that appear in no statement days after the payment. */
export default function MissingTransfersPage() {
  return (
    <div className="screen">
      <MoneyTabs />
      <p className="muted">
        Confirmed transfers that are on no bank statement three days after payment. They are checked
        once a statement has been imported.
      </p>
      <ResourceList
        call="GET /api/v1/admin/bank-transfers"
        noun="transfer"
        empty="Nothing is missing"
        columns={[
          {
            title: "Order",
            value: (transfer) => transfer.orderNumber,
            show: (transfer) => <OrderLink number={transfer.orderNumber} />,
          },
          { title: "Amount", as: "naira", value: (transfer) => transfer.amount, total: true },
          { title: "Reference", value: (transfer) => transfer.reference },
          {
            title: "Paid on",
            value: (transfer) => transfer.paidOn,
            show: ({ paidOn }) => (
              <time className="is-whole" dateTime={paidOn}>
                {formatDate(paidOn)}
              </time>
            ),
          },
          { title: "Confirmed by", value: (transfer) => transfer.confirmedBy?.name },
          {
            title: "Confirmed",
            minor: true,
            as: "moment",
            value: (transfer) => transfer.confirmedAt,
          },
        ]}
      />
    </div>
  );
}
