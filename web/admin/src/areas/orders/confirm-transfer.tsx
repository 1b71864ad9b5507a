import { useSearchParams } from "react-router-dom";
import { dayOf } from "@/lib/format/dates";
import { formatNaira } from "@/lib/format/money";
import { useMay } from "~/api/operator";
import { useAnswer } from "~/api/queries";
import type { Order } from "~/areas/orders/order";
import { ProofPicture } from "~/areas/orders/proof-picture";
import { filledInBy, fillsIn } from "~/lib/confirmation-address";
import { Action } from "~/parts/action";
import { choiceOf } from "~/parts/choice";
import { WaitsForSecond } from "~/parts/waits-for-second";

const READ_PROOF = "GET /api/v1/admin/orders/{order_id}/proofs/{proof_id}";
const CALL = "POST /api/v1/admin/orders/{order_id}/confirm-transfer";
const TAKES_TRANSFERS = ["pending", "expired", "cancelled"];

/**
 * Confirm a bank transfer, with the details of the bank statement.
 *
 * A line of an imported statement links here and fills the form. Otherwise it is filled with what is
 * missing and the day of the member's receipt, which is shown beside it. While a confirmation waits
 * for a second operator, no other can be started.
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
  const mayReadProof = useMay(READ_PROOF);
  const [search] = useSearchParams();
  if (approvalId !== null) {
    return <WaitsForSecond text="Confirm transfer" call={CALL} approvalId={approvalId} />;
  }
  if (!isOpen) {
    return null;
  }
  const proof = order.proofs.find(({ state }) => state === "waiting");
  const isLinked = fillsIn(search) && !isConfirmed(order, search);
  const options = (banks.data?.rows ?? []).map(({ code, name }) => ({ value: code, text: name }));
  return (
    <Action
      call={CALL}
      inPath={{ order_id: order.id }}
      text="Confirm transfer"
      variant="primary"
      current={isLinked ? filledInBy(search) : guessedFrom(order, proof?.at)}
      note={
        <>
          <p>
            The order is {formatNaira(order.total)}: {formatNaira(order.received)} received so far.
          </p>
          {proof !== undefined && mayReadProof ? (
            <ProofPicture order={order} proof={proof} />
          ) : null}
        </>
      }
      labels={{ paidOn: "Paid on", amount: "Amount in naira", confirmAmount: "Repeat amount" }}
      hints={{ confirmAmount: "Required if over twice the order total" }}
      controls={{ bank: choiceOf(options) }}
    />
  );
}

/** What is missing, paid on the day of the receipt. */
function guessedFrom({ total, received }: Order, proofAt: string | undefined) {
  const missing = Math.max(0, Math.round((total - received) * 100) / 100);
  return {
    ...(missing > 0 ? { amount: missing } : {}),
    ...(proofAt === undefined ? {} : { paidOn: dayOf(Date.parse(proofAt)) }),
  };
}

/** Whether the transfer that an address fills in is confirmed by now: its reference counts once. */
function isConfirmed({ transfers }: Order, search: URLSearchParams): boolean {
  const wanted = plain(search.get("reference") ?? "");
  return transfers.some(({ reference }) => plain(reference) === wanted);
}

/** A reference as the bank's own form is compared: letters and digits, in upper case. */
const plain = (reference: string) => reference.toUpperCase().replaceAll(/[^0-9A-Z]/g, "");
