import { formatNaira } from "@/lib/money";
import { MoneyTabs } from "~/areas/money/money-tabs";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { MemberLink, memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

/** Cases with one of these reasons can only be refused. */
const NOT_CREDITABLE = ["mode", "transaction"] as const;

/** Money that no rule could assign. */
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
        actions={({ id, state, amount, reasons }) =>
          state === "open" ? (
            <>
              {NOT_CREDITABLE.some((reason) => reasons.includes(reason)) ? null : (
                <Action
                  call="POST /api/v1/admin/review-cases/{case_id}/accept"
                  inPath={{ case_id: id }}
                  text="Accept"
                  variant="primary"
                  note={`${formatNaira(amount)} is credited, once.`}
                />
              )}
              <Action
                call="POST /api/v1/admin/review-cases/{case_id}/refuse"
                inPath={{ case_id: id }}
                text="Refuse"
              />
            </>
          ) : null
        }
      />
    </div>
  );
}
