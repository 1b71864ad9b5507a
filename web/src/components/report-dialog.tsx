import "@/components/report-dialog.css";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { ReportReason } from "@/api/wire";
import { Modal } from "@/components/modal";
import { tellFailure } from "@/lib/tell-failure";
import { showToast } from "@/lib/toasts";

const REASONS: { reason: ReportReason; text: string }[] = [
  { reason: "spam", text: "Spam or advertising" },
  { reason: "abuse", text: "Insults or threats" },
  { reason: "hate", text: "Hate against a group" },
  { reason: "other", text: "Something else" },
];

interface ReportDialogProps {
  header: string;
  /** What is reported, and by whom it is. */
  children: ReactNode;
  send: (reason: ReportReason) => Promise<unknown>;
  /** The call failed; the member has been told. */
  onFailure?: () => void;
  onClose: () => void;
}

/** Shows something of another member's to the moderators, with a reason. */
export function ReportDialog({ header, children, send, onFailure, onClose }: ReportDialogProps) {
  const [reason, setReason] = useState<ReportReason>("spam");
  const report = useMutation({
    networkMode: "always",
    mutationFn: () => send(reason),
    onSuccess: () => {
      showToast("success", "Thank you. Our moderators will look at it.");
      onClose();
    },
    onError: (error) => {
      tellFailure(error);
      onFailure?.();
    },
  });
  const content = (
    <>
      <blockquote className="notice report-quote">{children}</blockquote>
      <fieldset>
        <legend className="report-legend">What is wrong with it?</legend>
        {REASONS.map((option) => (
          <label key={option.reason} className="checkbox">
            <input
              type="radio"
              name="reason"
              checked={option.reason === reason}
              onChange={() => setReason(option.reason)}
            />
            {option.text}
          </label>
        ))}
      </fieldset>
    </>
  );
  return (
    <Modal
      header={header}
      content={content}
      onClose={onClose}
      onSubmit={() => report.mutate()}
      submitText="Report"
      submitting={report.isPending}
    />
  );
}
