import "~/areas/orders/orders.css";
import { Printer } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/button";
import { formatShortMoment } from "@/lib/format/dates";
import type { Order } from "~/areas/orders/order";

export interface PrintSlipProps {
  /** Refetch the order, which a colleague may have cancelled since; whether it is to be sent. */
  isStillToSend: () => Promise<boolean>;
}

/** Prints the packing slip in place of the screen. */
export function PrintSlip({ isStillToSend }: PrintSlipProps) {
  const [isPending, setPending] = useState(false);
  const print = async () => {
    setPending(true);
    const isToSend = await isStillToSend();
    setPending(false);
    if (isToSend) {
      // Once the slip shows what was fetched.
      setTimeout(() => window.print());
    }
  };
  return (
    <Button
      variant="secondary"
      icon={<Printer aria-hidden="true" />}
      busy={isPending}
      onClick={() => void print()}
    >
      Print packing slip
    </Button>
  );
}

/** What goes into the parcel and where it goes, without prices; only in print. */
export function PackingSlip({ order }: { order: Order }) {
  return (
    <section className="packing-slip" aria-label="Packing slip">
      <h2>King of Fans · {order.orderNumber}</h2>
      <p>Placed {formatShortMoment(order.createdAt)}</p>
      <address>
        {addressLines(order).map((line) => (
          <div key={line}>{line}</div>
        ))}
      </address>
      <table>
        <thead>
          <tr>
            <th scope="col">Qty</th>
            <th scope="col">Item</th>
          </tr>
        </thead>
        <tbody>
          {order.product_meta_data.map(({ line, name, size, quantity, refundedQuantity }) =>
            quantity > refundedQuantity ? (
              <tr key={line}>
                <td>{quantity - refundedQuantity}</td>
                <td>{[name, size].filter(Boolean).join(", ")}</td>
              </tr>
            ) : null,
          )}
        </tbody>
      </table>
    </section>
  );
}

/** The recipient, line by line; none for a member who has left. */
function addressLines({ billing }: Order): string[] {
  const { firstName, lastName, address, state, phone } = billing;
  return [
    [firstName, lastName].filter(Boolean).join(" "),
    [address, state].filter(Boolean).join(", "),
    String(phone ?? ""),
  ].filter((line) => line !== "");
}
