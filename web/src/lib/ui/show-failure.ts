import { Cancelled, messageOf } from "@/lib/live/failures";
import { showToast } from "@/lib/ui/toasts";

/** Show the member that a call failed; a cancelled one is silent. */
export function showFailure(error: unknown): void {
  if (!(error instanceof Cancelled)) {
    showToast("error", messageOf(error));
  }
}
