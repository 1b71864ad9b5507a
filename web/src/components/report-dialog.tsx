import "@/components/report-dialog.css";
import { type ReactNode, useState } from "react";
import { Modal } from "@/components/modal";

const REASONS = [
  { reason: "spam", text: "Spam or advertising" },
  { reason: "abuse", text: "Insults or threats" },
  { reason: "hate", text: "Hate against a group" },
  { reason: "other", text: "Something else" },
] as const;

type Reason = (typeof REASONS)[number]["reason"];

interface ReportDialogProps {
  header: string;
  /** The reported item, and its author. */
  children: ReactNode;
  submitting: boolean;
  onSubmit: (reason: Reason) => void;
  onClose: () => void;
}

/** Asks for the reason before another member's content is reported. */
export function ReportDialog({ header, children, onSubmit, ...modal }: ReportDialogProps) {
  const [reason, setReason] = useState<Reason>("spam");
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
      {...modal}
      header={header}
      content={content}
      submitText="Report"
      onSubmit={() => onSubmit(reason)}
    />
  );
}
