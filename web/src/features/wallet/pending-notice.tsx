import "@/features/wallet/pending-notice.css";
import { LoaderCircle } from "lucide-react";
import { Button, buttonClasses } from "@/components/button";
import type { PendingFunding } from "@/features/wallet/pending-funding";
import { formatNairaShort } from "@/lib/format/money";

interface PendingNoticeProps {
  pending: PendingFunding;
  onCheck: () => void;
  onDismiss: () => void;
}

/** The state of a pending payment, and the member's options. */
export function PendingNotice({ pending, onCheck, onDismiss }: PendingNoticeProps) {
  const amount = formatNairaShort(pending.amount);
  if (pending.phase === "confirming") {
    return (
      <div className="notice" role="status">
        <LoaderCircle className="turning" aria-hidden="true" />
        <p>
          <strong>Confirming payment...</strong> {amount} will be in your wallet as soon as the
          provider confirms it.
        </p>
      </div>
    );
  }
  return (
    <div className="notice notice-warn" role="status">
      <p>
        {pending.phase === "paying"
          ? `Your payment of ${amount} is not finished.`
          : `We have no confirmation of your payment of ${amount} yet. It is added as soon as we do.`}
      </p>
      {pending.phase === "paying" ? (
        <a className={buttonClasses()} href={pending.link} target="_blank" rel="noreferrer">
          Continue to payment
        </a>
      ) : null}
      <Button variant="secondary" onClick={onCheck}>
        {pending.phase === "paying" ? "I have paid" : "Check again"}
      </Button>
      <Button variant="quiet" onClick={onDismiss}>
        Dismiss
      </Button>
    </div>
  );
}
