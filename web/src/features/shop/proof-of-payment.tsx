import { useRef } from "react";
import type { OrderDetail, TransferProof } from "@/api/wire";
import { Button } from "@/components/button";
import { Panel } from "@/components/panel";
import { type BadgeTone, StatusBadge } from "@/components/status-badge";
import { useUploadProof } from "@/features/shop/use-upload-proof";
import { formatMoment } from "@/lib/format/dates";
import { showToast } from "@/lib/ui/toasts";

const LARGEST_BYTES = 2_097_152;
const TOO_LARGE = "File size exceeds 2MB. Please upload a smaller file.";
const KINDS = "image/jpeg,image/png,image/webp,application/pdf";
const STATES: Record<TransferProof["state"], [BadgeTone, string]> = {
  waiting: ["info", "Receipt under review"],
  accepted: ["success", "Accepted"],
  rejected: ["error", "Not accepted"],
  replaced: ["neutral", "Replaced"],
  expired: ["neutral", "Expired"],
};

/** The member's proofs of payment, and an upload button. */
export function ProofOfPayment({ order }: { order: OrderDetail }) {
  if (order.proofs.length === 0 && !order.canUploadProof) {
    return null;
  }
  return (
    <Panel title="Proof of payment">
      {order.proofs.length > 0 ? (
        <ul className="proofs">
          {order.proofs.map((proof) => (
            <Proof key={proof.id} proof={proof} />
          ))}
        </ul>
      ) : (
        <p className="small muted">
          A picture of your receipt or the bank's PDF helps us find your transfer sooner.
        </p>
      )}
      {order.canUploadProof ? <Upload order={order} /> : null}
    </Panel>
  );
}

function Proof({ proof }: { proof: TransferProof }) {
  const [tone, text] = STATES[proof.state];
  return (
    <li>
      <StatusBadge tone={tone} text={text} />
      <time className="small muted" dateTime={proof.at}>
        {formatMoment(proof.at)}
      </time>
      <ReviewDeadline receipt={proof} />
      {proof.reason ? <p>{proof.reason}</p> : null}
    </li>
  );
}

/** When the order expires unless the club confirms the payment of a receipt. */
export function ReviewDeadline({ receipt: { expiresAt } }: { receipt: TransferProof }) {
  return expiresAt === null ? null : (
    <p className="small muted">
      If we cannot confirm your payment by{" "}
      <time dateTime={expiresAt}>{formatMoment(expiresAt)}</time>, the order expires.
    </p>
  );
}

function Upload({ order }: { order: OrderDetail }) {
  const input = useRef<HTMLInputElement>(null);
  const upload = useUploadProof(order.id);
  const send = (file: File | undefined) => {
    if (file === undefined) {
      return;
    }
    if (file.size > LARGEST_BYTES) {
      showToast("error", TOO_LARGE);
      return;
    }
    upload.send(file);
  };
  const again = order.proofs.some(({ state }) => state === "waiting");
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={KINDS}
        hidden
        aria-label="Proof of payment"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          send(file);
          // Reset, so that picking the same file again fires an event.
          currentTarget.value = "";
        }}
      />
      <Button
        variant="secondary"
        wide
        busy={upload.sending}
        busyText={`Uploading ${Math.round(upload.share * 100)}%`}
        onClick={() => input.current?.click()}
      >
        Upload proof of payment
      </Button>
      <p className="small muted">
        {again ? "Uploading again replaces the receipt under review. " : ""}JPEG, PNG, WebP or PDF,
        at most 2 MB.
      </p>
    </>
  );
}
