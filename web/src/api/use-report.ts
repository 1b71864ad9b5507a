import { useMutation } from "@tanstack/react-query";
import type { ReportReason } from "@/api/wire";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

/** Sends a report to the moderators and shows the result; `onSent` is called once they have it. */
export function useReport(send: (reason: ReportReason) => Promise<unknown>, onSent: () => void) {
  const report = useMutation({
    // Offline it fails at once, instead of holding the dialog open.
    networkMode: "always",
    mutationFn: send,
    onSuccess: () => {
      showToast("success", "Thank you. Our moderators will look at it.");
      onSent();
    },
    onError: showFailure,
  });
  return { submitting: report.isPending, onSubmit: report.mutate };
}
