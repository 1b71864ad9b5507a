import { formatNaira } from "@/lib/format/money";
import type { RowOf } from "~/api/calls";
import { useMay } from "~/api/operator";
import { useAnswer } from "~/api/queries";
import { labelOf } from "~/lib/words";
import { CaseSubject } from "~/parts/case-subject";
import { Facts } from "~/parts/facts";
import { MemberLink } from "~/parts/member-link";
import { isOfFunding, ProviderReports } from "~/parts/provider-reports";

type Approval = RowOf<"GET /api/v1/admin/approvals">;

const CASE = "GET /api/v1/admin/review-cases/{case_id}";
const ORDER = "GET /api/v1/admin/orders/{order}";

/** What a decision needs beside the proposal's content: the case or the order that it is about. */
export function ProposalDetails({ approval: { kind, content } }: { approval: Approval }) {
  const [mayReadCase, mayReadOrder] = [useMay(CASE), useMay(ORDER)];
  if (kind === "accept-review" && mayReadCase) {
    return <CaseDetails caseId={String(content["reviewCaseId"])} />;
  }
  if (kind === "confirm-transfer" && mayReadOrder) {
    return <OrderDetails orderId={String(content["orderId"])} />;
  }
  return null;
}

function CaseDetails({ caseId }: { caseId: string }) {
  const { data: found } = useAnswer(CASE, { inPath: { case_id: caseId } });
  return found === undefined ? null : (
    <Facts
      facts={{
        Member: <MemberLink member={found.member} />,
        About: <CaseSubject reviewCase={found} />,
        "Why it is in review": found.reasons.map(labelOf).join(", "),
        "The provider reported": isOfFunding(found) ? <ProviderReports reviewCase={found} /> : null,
        "What is credited": found.kind === "chargeback_short" ? "Nothing: the debt stays" : null,
      }}
    />
  );
}

function OrderDetails({ orderId }: { orderId: string }) {
  const { data: order } = useAnswer(ORDER, { inPath: { order: orderId } });
  return order === undefined ? null : (
    <Facts
      facts={{
        Member: <MemberLink member={order.member} />,
        "Order total": formatNaira(order.total),
        "Received so far": formatNaira(order.received),
        "Order status": labelOf(order.status),
      }}
    />
  );
}
