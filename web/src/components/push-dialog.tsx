import "@/components/push-dialog.css";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";

export interface PushDialogProps {
  busy: boolean;
  onTurnOn: () => void;
  onNotNow: () => void;
}

/** Asks before the browser does: the browser's own prompt can be declined only once. */
export function PushDialog({ busy, onTurnOn, onNotNow }: PushDialogProps) {
  return (
    <Modal
      header="Turn on notifications?"
      footer={false}
      onClose={onNotNow}
      content={
        <>
          <p>
            Get alerts for kick-offs, chat replies, your orders and your money, even when the app is
            closed. Amounts and messages stay in the app.
          </p>
          <p className="small muted">
            Your browser will ask once more. Choose your alerts under Notifications.
          </p>
          <div className="push-actions">
            <Button variant="secondary" onClick={onNotNow}>
              Not now
            </Button>
            <Button data-first-focus busy={busy} onClick={onTurnOn}>
              Turn on
            </Button>
          </div>
        </>
      }
    />
  );
}
