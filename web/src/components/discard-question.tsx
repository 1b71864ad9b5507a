import { ModalDialog } from "@/components/modal-dialog";

interface DiscardQuestionProps {
  onDiscard: () => void;
  onStay: () => void;
}

/** Whether unsaved changes may be discarded. */
export function DiscardQuestion({ onDiscard, onStay }: DiscardQuestionProps) {
  return (
    <ModalDialog
      header="Discard your changes?"
      content={<p>You will lose what you entered.</p>}
      submitText="Discard"
      onSubmit={onDiscard}
      onClose={onStay}
    />
  );
}
