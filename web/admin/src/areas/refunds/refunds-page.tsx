import { Link } from "react-router-dom";
import { formatNaira } from "@/lib/format/money";
import type { RowOf } from "~/api/calls";
import { useMay } from "~/api/operator";
import { Action } from "~/parts/action";
import { LongWords } from "~/parts/long-words";
import { MemberLink, memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";
import { WaitsForSecond } from "~/parts/waits-for-second";

const SEND = "POST /api/v1/admin/refunds/{refund_id}/send";

/** Refunds: requested, sent and refused. */
export default function RefundsPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/refunds"
      noun="refund"
      empty="No refunds"
      columns={[
        {
          title: "For",
          value: boughtOf,
          show: (refund) => <Bought refund={refund} />,
        },
        {
          title: "Member",
          value: (refund) => memberName(refund.member),
          show: (refund) => <MemberLink member={refund.member} />,
        },
        { title: "Amount", as: "naira", value: (refund) => refund.amount, total: true },
        { title: "Reason", value: (refund) => refund.refusal ?? refund.reason },
        { title: "Requested", minor: true, as: "moment", value: (refund) => refund.askedAt },
        { title: "State", as: "state", value: (refund) => refund.state },
      ]}
      actions={({ id, state, amount, member, canRefuse, approvalId }) =>
        state === "asked" ? (
          <>
            {approvalId === null ? (
              <Action
                call={SEND}
                inPath={{ refund_id: id }}
                text="Send refund"
                variant="primary"
                note={`${formatNaira(amount)} goes to the wallet of ${memberName(member)}.`}
              />
            ) : (
              <WaitsForSecond text="Send refund" call={SEND} approvalId={approvalId} />
            )}
            {canRefuse ? (
              <Action
                call="POST /api/v1/admin/refunds/{refund_id}/refuse"
                inPath={{ refund_id: id }}
                text="Refuse"
              />
            ) : null}
          </>
        ) : null
      }
    />
  );
}

/** What was bought; an order leads to its page. */
function Bought({ refund }: { refund: RowOf<"GET /api/v1/admin/refunds"> }) {
  const { subject, subjectId } = refund;
  const bought = boughtOf(refund);
  const mayRead = useMay("GET /api/v1/admin/orders/{order}");
  return subject === "order" && mayRead ? (
    <Link to={`/orders/${subjectId}`}>
      <LongWords text={bought} />
    </Link>
  ) : (
    <LongWords text={bought} />
  );
}

function boughtOf({ bought }: RowOf<"GET /api/v1/admin/refunds">): string {
  return bought.charAt(0).toUpperCase() + bought.slice(1);
}
