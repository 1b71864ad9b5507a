import { Modal } from "@/components/modal";
import { useLeaveGuard } from "@/lib/ui/use-leave-guard";

/** Asks before unsaved changes are discarded. */
export function LeaveQuestion({ active }: { active: boolean }) {
  const guard = useLeaveGuard(active, { inside: true });
  return guard.asking ? <DiscardQuestion onDiscard={guard.leave} onStay={guard.stay} /> : null;
}

interface DiscardQuestionProps {
  onDiscard: () => void;
  onStay: () => void;
}

/** Whether unsaved changes may be discarded. */
export function DiscardQuestion({ onDiscard, onStay }: DiscardQuestionProps) {
  return (
    <Modal
      header="Discard your changes?"
      content={<p>What you have typed here will be gone.</p>}
      submitText="Discard"
      onSubmit={onDiscard}
      onClose={onStay}
    />
  );
}
