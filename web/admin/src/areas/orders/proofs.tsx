import { Panel } from "@/components/panel";
import { formatShortMoment } from "@/lib/format/dates";
import type { Order } from "~/areas/orders/order";
import { Action } from "~/parts/action";
import { FileButton } from "~/parts/file-button";
import { StateBadge } from "~/parts/state-badge";

/** The member's proofs of payment; each view is audited. */
export function Proofs({ order: { id, proofs } }: { order: Order }) {
  if (proofs.length === 0) {
    return null;
  }
  return (
    <Panel title="Proofs of payment">
      <ul className="screen">
        {proofs.map((proof) => (
          <li key={proof.id} className="buttons">
            <StateBadge state={proof.state} />
            <span>{formatShortMoment(proof.at)}</span>
            <FileButton
              call="GET /api/v1/admin/orders/{order_id}/proofs/{proof_id}"
              inPath={{ order_id: id, proof_id: proof.id }}
              text="Download"
              name={`proof-${proof.id}`}
            />
            {proof.state === "waiting" ? (
              <Action
                call="POST /api/v1/admin/orders/{order_id}/reject-proof"
                inPath={{ order_id: id }}
                fixed={{ proofId: proof.id }}
                text="Reject proof"
                variant="danger"
              />
            ) : null}
            {proof.expiresAt ? (
              <p className="small muted">
                The order expires on {formatShortMoment(proof.expiresAt)}.
              </p>
            ) : null}
            {proof.reason ? <p className="small muted">{proof.reason}</p> : null}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
