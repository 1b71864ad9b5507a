import { useEffect } from "react";
import { listenToPaymentChannel, takeWaitingPayments } from "@/lib/payment-channel";
import { useMember } from "@/lib/session";
import { isRecord } from "@/lib/storage";
import { showToast } from "@/lib/toasts";

/** What an event says: the reference of a settled payment, or what to tell the member. */
type Heard = { settled: string } | { refusal: string } | null;

/**
 * Listen for settled payments while the screen is open.
 *
 * `onSettled` gets the reference; an event without data says that the wallet could not be funded.
 */
export function useSettledPayments(onSettled: (reference: string) => void): void {
  const { id } = useMember();
  useEffect(() => {
    const hear = (event: unknown) => {
      const heard = understand(event, id);
      if (heard !== null && "settled" in heard) {
        onSettled(heard.settled);
      } else if (heard !== null) {
        showToast("error", heard.refusal);
      }
    };
    takeWaitingPayments(id).forEach(hear);
    return listenToPaymentChannel("verify_wallet_transaction", hear);
  }, [id, onSettled]);
}

/** Read a verify_wallet_transaction event; null when it is about somebody else. */
function understand(event: unknown, userId: string): Heard {
  const data = isRecord(event) ? event["data"] : null;
  if (!isRecord(data)) {
    return { refusal: "Unable to fund wallet." };
  }
  if (typeof data["id"] !== "string" || data["id"] === "") {
    return { refusal: "Transaction id is required." };
  }
  return data["user_id"] === userId ? { settled: data["id"] } : null;
}
