import { formatNaira } from "@/lib/money";
import type { RowOf } from "~/api/calls";
import { MoneyTabs } from "~/areas/money/money-tabs";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { MemberLink, memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

type ReviewCase = RowOf<"GET /api/v1/admin/review-cases">;

/** Cases with one of these reasons can only be refused. */
const NOT_CREDITABLE = ["mode", "transaction"] as const;

/** Money that came and that nobody could place by rule. */
export default function ReviewCasesPage() {
  return (
    <div className="screen">
      <MoneyTabs />
      <ResourceList
        call="GET /api/v1/admin/review-cases"
        empty="No review cases"
        columns={[
          { title: "Why", value: (found) => found.reasons.map(labelOf).join(", ") },
          { title: "About", value: (found) => found.subject },
          {
            title: "Member",
            value: (found) => memberName(found.member),
            show: (found) => <MemberLink member={found.member} />,
          },
          { title: "Amount", as: "naira", value: (found) => found.amount },
          { title: "Opened", as: "moment", value: (found) => found.openedAt },
          { title: "State", as: "state", value: (found) => found.state },
          { title: "Reason", value: (found) => found.reason },
        ]}
        actions={(found) =>
          found.state === "open" ? (
            <>
              {NOT_CREDITABLE.some((reason) => found.reasons.includes(reason)) ? null : (
                <Action
                  call="POST /api/v1/admin/review-cases/{case_id}/accept"
                  inPath={{ case_id: found.id }}
                  text="Accept"
                  look="primary"
                  note={consequenceOf(found)}
                />
              )}
              <Action
                call="POST /api/v1/admin/review-cases/{case_id}/refuse"
                inPath={{ case_id: found.id }}
                text="Refuse"
              />
            </>
          ) : null
        }
      />
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
