import { useEffect } from "react";
import { isRecord } from "@/lib/device/storage";
import { listenToPaymentChannel, takeMissedPayments } from "@/lib/live/payment-channel";
import { useMember } from "@/lib/session/session";
import { showToast } from "@/lib/ui/toasts";

/** The content of an event: the reference of a settled payment, or a message to the member. */
type PaymentEvent = { settled: string } | { refusal: string } | null;

/**
 * Listen for settled payments while the screen is open.
 *
 * `onSettled` gets the reference; an event without data means that the funding failed.
 */
export function useSettledPayments(onSettled: (reference: string) => void): void {
  const { id } = useMember();
  useEffect(() => {
    const onEvent = (event: unknown) => {
      const parsed = parse(event, id);
      if (parsed !== null && "settled" in parsed) {
        onSettled(parsed.settled);
      } else if (parsed !== null) {
        showToast("error", parsed.refusal);
      }
    };
    takeMissedPayments(id).forEach(onEvent);
    return listenToPaymentChannel("verify_wallet_transaction", onEvent);
  }, [id, onSettled]);
}

/** Parse a verify_wallet_transaction event; null if it is about another member. */
function parse(event: unknown, userId: string): PaymentEvent {
  const data = isRecord(event) ? event["data"] : null;
  if (!isRecord(data)) {
    return { refusal: "Unable to fund wallet." };
  }
  if (typeof data["id"] !== "string" || data["id"] === "") {
    return { refusal: "Transaction id is required." };
  }
  return data["user_id"] === userId ? { settled: data["id"] } : null;
}
