import { Modal } from "@/components/modal";

interface LeaveModalProps {
  onLeave: () => void;
  onStay: () => void;
}

/** Asks before what was typed is lost. */
export function LeaveModal({ onLeave, onStay }: LeaveModalProps) {
  return (
    <Modal
      header="Leave without saving?"
      submitText="Leave"
      onClose={onStay}
      onSubmit={onLeave}
      content={
        <p>What you changed on your profile is not saved yet. If you leave now, it is gone.</p>
      }
    />
  );
}
