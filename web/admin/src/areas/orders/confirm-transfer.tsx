import { useSearchParams } from "react-router-dom";
import { formatNaira } from "@/lib/format/money";
import { useMay } from "~/api/operator";
import { useAnswer } from "~/api/queries";
import type { Order } from "~/areas/orders/order";
import { filledInBy } from "~/lib/confirmation-address";
import { Action } from "~/parts/action";
import { choiceOf } from "~/parts/choice";
import { WaitsForSecond } from "~/parts/waits-for-second";

const CALL = "POST /api/v1/admin/orders/{order_id}/confirm-transfer";
const TAKES_TRANSFERS = ["pending", "expired", "cancelled"];

/**
 * Confirm a bank transfer, with the details of the bank statement.
 *
 * A line of an imported statement links here and fills the form. While a confirmation waits for a
 * second operator, no other can be started.
 */
export function ConfirmTransfer({ order }: { order: Order }) {
  const mayConfirm = useMay(CALL);
  const isOpen =
    order.payment_method === "bank-transfer" &&
    !order.is_paid &&
    TAKES_TRANSFERS.includes(order.status);
  const { approvalId } = order;
  const isOffered = isOpen && approvalId === null;
  const banks = useAnswer("GET /api/v1/admin/banks", {}, { enabled: mayConfirm && isOffered });
  const [search] = useSearchParams();
  if (approvalId !== null) {
    return <WaitsForSecond text="Confirm transfer" call={CALL} approvalId={approvalId} />;
  }
  if (!isOpen) {
    return null;
  }
  const options = (banks.data?.rows ?? []).map(({ code, name }) => ({ value: code, text: name }));
  return (
    <Action
      call={CALL}
      inPath={{ order_id: order.id }}
      text="Confirm transfer"
      variant="primary"
      current={isConfirmed(order, search) ? undefined : filledInBy(search)}
      note={`The order is ${formatNaira(order.total)}, of which ${formatNaira(order.received)} is there.`}
      labels={{ paidOn: "Paid on", amount: "Amount in naira", confirmAmount: "The amount again" }}
      hints={{ confirmAmount: "Only for more than twice what the order costs" }}
      controls={{ bank: choiceOf(options) }}
    />
  );
}

/** Whether the transfer that an address fills in is confirmed by now: its reference counts once. */
function isConfirmed({ transfers }: Order, search: URLSearchParams): boolean {
  const wanted = plain(search.get("reference") ?? "");
  return transfers.some(({ reference }) => plain(reference) === wanted);
}

/** A reference as the bank's own form is compared: letters and digits, in upper case. */
const plain = (reference: string) => reference.toUpperCase().replaceAll(/[^0-9A-Z]/g, "");
