import { formatNaira } from "@/lib/money";
import { MoneyTabs } from "~/areas/money/money-tabs";
import { Action } from "~/parts/action";
import { MemberLink, memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";

/** Money that came and that nobody could place by rule. */
export default function ReviewCasesPage() {
  return (
    <div className="screen">
      <MoneyTabs />
      <ResourceList
        call="GET /api/v1/admin/review-cases"
        empty="No review cases"
        columns={[
          { title: "Why", as: "word", value: (found) => found.kind },
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
        actions={({ id, state, amount }) =>
          state === "open" ? (
            <>
              <Action
                call="POST /api/v1/admin/review-cases/{case_id}/accept"
                inPath={{ case_id: id }}
                text="Accept"
                look="primary"
                note={`${formatNaira(amount)} is credited, once.`}
              />
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
