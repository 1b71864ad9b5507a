import { useReport } from "@/api/use-report";
import { CopyButton } from "@/components/copy-button";
import { ReportDialog } from "@/components/report-dialog";
import { reportMessage } from "@/features/chat/api";
import type { ChatMessage } from "@/features/chat/events";
import { displayName } from "@/lib/format/names";

interface ReportModalProps {
  message: ChatMessage;
  onClose: () => void;
}

/** The actions on another member's message: copy or report. */
export function ReportModal({ message, onClose }: ReportModalProps) {
  const report = useReport((reason) => reportMessage(message.id, reason), onClose);
  return (
    <ReportDialog header="Report this message" {...report} onClose={onClose}>
      <p>
        <b>{displayName(message.lastName, message.firstName)}</b>
        <br />
        {message.text}
      </p>
      <CopyButton text={message.text} label="message" />
    </ReportDialog>
  );
}
