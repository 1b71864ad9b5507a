import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import type { ChatMessage } from "@/features/chat/events";

interface RemoveMessageProps {
  message: ChatMessage;
  onRemove: () => void;
  onClose: () => void;
}

/** Asks before a message is deleted for everyone; Enter keeps it. */
export function RemoveMessage({ message, onRemove, onClose }: RemoveMessageProps) {
  return (
    <Modal
      header="Delete this message for everybody?"
      footer={false}
      onClose={onClose}
      content={
        <div className="message-menu">
          <blockquote className="report-quote muted">{message.text}</blockquote>
          <Button variant="danger" onClick={onRemove}>
            Delete for all
          </Button>
          <Button data-first-focus onClick={onClose}>
            Keep it
          </Button>
        </div>
      }
    />
  );
}
