import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import { counted } from "@/lib/format/counts";

interface ConfirmSubmitProps {
  /** The indexes, from 0, of the questions without an answer. */
  unanswered: number[];
  busy: boolean;
  onJump: (index: number) => void;
  onSubmit: () => void;
  onClose: () => void;
}

/** Asks before the answers are submitted, and links to the unanswered questions. */
export function ConfirmSubmit({ unanswered, busy, onJump, onSubmit, onClose }: ConfirmSubmitProps) {
  const [first] = unanswered;
  return (
    <Modal
      header="Submit your answers"
      submitText="Submit"
      submitting={busy}
      onClose={onClose}
      onSubmit={onSubmit}
      content={
        <>
          <p>Are you sure you want to submit your answers now?</p>
          {first === undefined ? null : (
            <div className="notice notice-warn">
              <p>
                {counted(unanswered.length, "question is", "questions are")} unanswered and will
                count as wrong.
              </p>
              <Button variant="secondary" disabled={busy} onClick={() => onJump(first)}>
                Go to question {first + 1}
              </Button>
            </div>
          )}
        </>
      }
    />
  );
}
