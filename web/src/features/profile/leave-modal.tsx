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
          <p>What you changed on your profile is not saved yet. If you leave now, it is gone.</p>
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
