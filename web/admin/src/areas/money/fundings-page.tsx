import { Link } from "react-router-dom";
import { formatCount } from "@/lib/format/counts";
import { MoneyTabs } from "~/areas/money/money-tabs";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { MemberLink, memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

const UNDECIDED = ["prepared", "pending", "failed", "cancelled"];

/** Members' funding attempts. */
export default function FundingsPage() {
  return (
    <div className="screen">
      <MoneyTabs />
      <ResourceList
        call="GET /api/v1/admin/fundings"
        noun="funding"
        empty="No fundings"
        bulk={[
          {
            call: "POST /api/v1/admin/fundings/{reference}/ask",
            text: (count) => `Ask the provider about ${formatCount(count)}`,
            requestOf: ({ reference, state }) =>
              UNDECIDED.includes(state) ? { inPath: { reference } } : null,
          },
        ]}
        columns={[
          { title: "Reference", value: (funding) => funding.reference },
          { title: "Provider", as: "word", value: (funding) => funding.gateway },
          {
            title: "Member",
            value: (funding) => memberName(funding.member),
            show: (funding) => <MemberLink member={funding.member} />,
          },
          { title: "Amount", as: "naira", value: (funding) => funding.amount, total: true },
          { title: "Begun", as: "moment", value: (funding) => funding.createdAt },
          { title: "State", as: "state", value: (funding) => funding.state },
          {
            title: "Review",
            value: (funding) => funding.reviewReason,
            sortBy: ({ reviewReason }) => (reviewReason === null ? null : labelOf(reviewReason)),
            show: ({ state, reviewReason }) => <Review state={state} reason={reviewReason} />,
          },
        ]}
        actions={({ reference, state }) =>
          UNDECIDED.includes(state) ? (
            <Action
              call="POST /api/v1/admin/fundings/{reference}/ask"
              inPath={{ reference }}
              text="Ask the provider"
            />
          ) : null
        }
      />
    </div>
  );
}

/** Why a funding was set aside; while it is, its case says what the provider reported. */
function Review({ state, reason }: { state: string; reason: string | null }) {
  if (reason === null) {
    return "–";
  }
  const text = labelOf(reason);
  return state === "review" ? <Link to="/money/review-cases?state=open">{text}</Link> : text;
}
