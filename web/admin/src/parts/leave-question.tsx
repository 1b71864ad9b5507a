import { Modal } from "@/components/modal";
import { useLeaveGuard } from "@/lib/use-leave-guard";

/** Asks before what was typed is lost. */
export function LeaveQuestion({ active }: { active: boolean }) {
  const guard = useLeaveGuard(active, { inside: true });
  return guard.asking ? <DiscardQuestion onDiscard={guard.leave} onStay={guard.stay} /> : null;
}

interface DiscardQuestionProps {
  onDiscard: () => void;
  onStay: () => void;
}

/** Whether what was typed may go. */
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
