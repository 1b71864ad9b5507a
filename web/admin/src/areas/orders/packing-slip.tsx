import "~/areas/orders/orders.css";
import { Printer } from "lucide-react";
import { useState } from "react";
import { Wordmark } from "@/components/brand-mark";
import { Button } from "@/components/button";
import { counted } from "@/lib/format/counts";
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
      <header>
        <Wordmark />
        <h2>Packing slip</h2>
      </header>
      <div className="slip-facts">
        <div>
          <h3>From</h3>
          <p>King of Fans</p>
        </div>
        <div>
          <h3>Ship to</h3>
          <address>
            {addressLines(order).map((line) => (
              <div key={line}>{line}</div>
            ))}
          </address>
        </div>
        <div>
          <h3>Order</h3>
          <p className="slip-number">{order.orderNumber}</p>
          <p>Placed {formatShortMoment(order.createdAt)}</p>
        </div>
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">Quantity</th>
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
        <tfoot>
          <tr>
            <td colSpan={2}>{counted(unitsOf(order), "item")} in total</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** What is still to be sent. */
function unitsOf({ product_meta_data: lines }: Order): number {
  return lines.reduce((sum, line) => sum + line.quantity - line.refundedQuantity, 0);
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
