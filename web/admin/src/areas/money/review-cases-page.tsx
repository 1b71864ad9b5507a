import { formatNaira } from "@/lib/format/money";
import { MoneyTabs } from "~/areas/money/money-tabs";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { CaseSubject, type ReviewCase, subjectOf } from "~/parts/case-subject";
import { Facts } from "~/parts/facts";
import { MemberLink, memberName } from "~/parts/member-link";
import { isOfFunding, ProviderReports, reportsText } from "~/parts/provider-reports";
import { ResourceList } from "~/parts/resource-list";
import { StateBadge } from "~/parts/state-badge";

/** Cases with one of these reasons can only be refused. */
const NOT_CREDITABLE = ["mode", "transaction"] as const;

/** Money that no rule could assign. */
export default function ReviewCasesPage() {
  return (
    <div className="screen">
      <MoneyTabs />
      <ResourceList
        call="GET /api/v1/admin/review-cases"
        noun="review case"
        empty="No review cases"
        columns={[
          { title: "Why", value: (found) => found.reasons.map(labelOf).join(", ") },
          {
            title: "About",
            value: subjectOf,
            show: (found) => <CaseSubject reviewCase={found} />,
          },
          {
            title: "Member",
            value: (found) => memberName(found.member),
            show: (found) => <MemberLink member={found.member} />,
          },
          { title: "Amount", as: "naira", value: (found) => found.amount, total: true },
          {
            title: "The provider reported",
            value: reportsText,
            show: (found) => <ProviderReports reviewCase={found} />,
          },
          { title: "Opened", as: "moment", value: (found) => found.openedAt },
          {
            title: "State",
            value: ({ state, reason }) => (reason === null ? state : `${state}: ${reason}`),
            sortBy: ({ state }) => labelOf(state),
            show: ({ state, reason }) => (
              <>
                <StateBadge state={state} />
                {reason === null ? null : <p className="small muted">{reason}</p>}
              </>
            ),
          },
        ]}
        actions={(found) =>
          found.state === "open" ? (
            <>
              {NOT_CREDITABLE.some((reason) => found.reasons.includes(reason)) ? null : (
                <Action
                  call="POST /api/v1/admin/review-cases/{case_id}/accept"
                  inPath={{ case_id: found.id }}
                  text="Accept"
                  header={`Accept review case: ${nameOf(found)}`}
                  variant="primary"
                  note={<Consequence reviewCase={found} />}
                />
              )}
              <Action
                call="POST /api/v1/admin/review-cases/{case_id}/refuse"
                inPath={{ case_id: found.id }}
                text="Refuse"
                header={`Refuse review case: ${nameOf(found)}`}
              />
            </>
          ) : null
        }
      />
    </div>
  );
}

const nameOf = ({ member, amount }: ReviewCase) => `${memberName(member)}, ${formatNaira(amount)}`;

/** What accepting a case does, beside what the provider reported. */
function Consequence({ reviewCase }: { reviewCase: ReviewCase }) {
  return (
    <div className="form">
      <p>{consequenceOf(reviewCase)}</p>
      {isOfFunding(reviewCase) ? (
        <Facts
          facts={{
            "We asked for": formatNaira(reviewCase.amount),
            "The provider reported": <ProviderReports reviewCase={reviewCase} />,
          }}
        />
      ) : null}
    </div>
  );
}

/** What accepting a case does with the money, in a sentence. */
function consequenceOf({ kind, amount, member }: ReviewCase): string {
  const name = memberName(member);
  return kind === "chargeback_short"
    ? `Nothing is credited. The case is closed, and what ${name} still owes stays under Debts.`
    : `${formatNaira(amount)} is credited to ${name}'s wallet, once.`;
}
