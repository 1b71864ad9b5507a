import { TextField } from "@/components/text-field";
import { isRecord } from "@/lib/device/storage";
import type { Order } from "~/areas/orders/order";
import { Action } from "~/parts/action";
import type { FormFieldProps } from "~/parts/form-field";

/** The typed line number and quantity. */
interface RefundedLine {
  line: string;
  quantity: string;
}

const CAN_BE_REFUNDED = ["processing", "shipped", "delivered"];

/** Request a partial refund of an order; an operator with the right to send refunds decides. */
export function AskForRefund({ order }: { order: Order }) {
  if (!CAN_BE_REFUNDED.includes(order.status)) {
    return null;
  }
  return (
    <Action
      call="POST /api/v1/admin/orders/{order_id}/refunds"
      inPath={{ order_id: order.id }}
      text="Request refund"
      labels={{
        lines: "How many of each",
        deliveryFee: "Include the delivery fee",
        restock: "Return to stock",
      }}
      controls={{ lines: (field) => <LinesField field={field} order={order} /> }}
    />
  );
}

function LinesField({ field, order }: { field: FormFieldProps; order: Order }) {
  const lines = linesOf(field.value);
  const set = (line: string, typed: string) => {
    const quantity = typed.replace(/\D/g, "");
    const others = lines.filter((other) => other.line !== line);
    field.onChange(Number(quantity) > 0 ? [...others, { line, quantity }] : others);
  };
  return (
    <fieldset className="form field-group">
      <legend>{field.label}</legend>
      {order.product_meta_data.map((product) => (
        <TextField
          key={product.line}
          label={[product.name, product.size].filter(Boolean).join(", ")}
          inputMode="numeric"
          hint={`Of ${product.quantity - product.refundedQuantity}`}
          value={lines.find(({ line }) => line === String(product.line))?.quantity ?? ""}
          onChange={(typed) => set(String(product.line), typed)}
        />
      ))}
      {field.error === undefined ? null : <p className="field-error">{field.error}</p>}
    </fieldset>
  );
}

function linesOf(value: unknown): RefundedLine[] {
  return Array.isArray(value)
    ? value.filter((one): one is RefundedLine => isRecord(one) && "line" in one)
    : [];
}
