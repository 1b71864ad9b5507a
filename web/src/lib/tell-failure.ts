import { Cancelled, messageOf } from "@/lib/failures";
import { showToast } from "@/lib/toasts";

/** Tell the member that a call went wrong; what was withdrawn needs no word. */
export function showFailure(error: unknown): void {
  if (!(error instanceof Cancelled)) {
    showToast("error", messageOf(error));
  }
}
