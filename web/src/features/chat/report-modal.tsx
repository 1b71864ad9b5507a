import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ReportReason } from "@/api/wire";
import { CopyButton } from "@/components/copy-button";
import { Modal } from "@/components/modal";
import { reportMessage } from "@/features/chat/api";
import type { ChatMessage } from "@/features/chat/events";
import { displayName } from "@/lib/names";
import { tellFailure } from "@/lib/tell-failure";
import { showToast } from "@/lib/toasts";

const REASONS: { reason: ReportReason; text: string }[] = [
  { reason: "spam", text: "Spam or advertising" },
  { reason: "abuse", text: "Insults or threats" },
  { reason: "hate", text: "Hate against a group" },
  { reason: "other", text: "Something else" },
];

interface ReportModalProps {
  message: ChatMessage;
  onClose: () => void;
}

/** What can be done about somebody's message: copy it, or show it to the moderators. */
export function ReportModal({ message, onClose }: ReportModalProps) {
  const [reason, setReason] = useState<ReportReason>("spam");
  const report = useMutation({
    mutationFn: () => reportMessage(message.id, reason),
    onSuccess: () => {
      showToast("success", "Thank you. Our moderators will look at it.");
      onClose();
    },
    onError: tellFailure,
  });
  const content = (
    <>
      <blockquote className="notice chat-quote">
        <p>
          <b>{displayName(message.lastName, message.firstName)}</b>
          <br />
          {message.text}
        </p>
        <CopyButton text={message.text} label="message" />
      </blockquote>
      <fieldset>
        <legend className="chat-name">What is wrong with it?</legend>
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
      header="Report this message"
      content={content}
      onClose={onClose}
      onSubmit={() => report.mutate()}
      submitText="Report"
      submitting={report.isPending}
    />
  );
}
