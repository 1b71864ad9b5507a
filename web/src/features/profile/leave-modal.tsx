import { Button } from "@/components/button";
import { Modal } from "@/components/modal";

interface LeaveModalProps {
  onLeave: () => void;
  onStay: () => void;
}

/** Asks before changes are discarded; Enter stays. */
export function LeaveModal({ onLeave, onStay }: LeaveModalProps) {
  return (
    <Modal
      header="Leave without saving?"
      footer={false}
      onClose={onStay}
      content={
        <>
          <p>Your changes to your profile are not saved. If you leave now, they will be lost.</p>
          <div className="leave-actions">
            <Button variant="secondary" onClick={onLeave}>
              Leave
            </Button>
            <Button data-first-focus onClick={onStay}>
              Keep editing
            </Button>
          </div>
        </>
      }
    />
  );
}
