import { useEffect } from "react";
import { useMember } from "@/lib/session";
import { openSocket } from "@/lib/socket";
import { isRecord } from "@/lib/storage";
import { showToast } from "@/lib/toasts";

/**
 * Listen for settled payments while the screen is open.
 *
 * `onSettled` gets the reference; an event without data says that the wallet could not be funded.
 */
export function usePaymentChannel(onSettled: (reference: string) => void): void {
  const { id, userToken } = useMember();
  useEffect(
    () =>
      openSocket("/payment", { token: userToken, userId: id }, (socket) => {
        socket.on("verify_wallet_transaction", (event: unknown) => {
          const data = isRecord(event) ? event["data"] : null;
          if (!isRecord(data)) {
            showToast("error", "Unable to fund wallet.");
          } else if (typeof data["id"] !== "string" || data["id"] === "") {
            showToast("error", "Transaction id is required.");
          } else if (data["user_id"] === id) {
            onSettled(data["id"]);
          }
        });
      }),
    [id, userToken, onSettled],
  );
}
