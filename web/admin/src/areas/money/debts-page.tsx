import { MoneyTabs } from "~/areas/money/money-tabs";
import { Action } from "~/parts/action";
import { MemberLink, memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";
import { WaitsForSecond } from "~/parts/waits-for-second";

const WRITE_OFF = "POST /api/v1/admin/debts/{debt_id}/write-off";

/** Debts left by chargebacks that the wallet could not cover. */
export default function DebtsPage() {
  return (
    <div className="screen">
      <MoneyTabs />
      <ResourceList
        call="GET /api/v1/admin/debts"
        empty="No debts"
        columns={[
          {
            title: "Member",
            value: (debt) => memberName(debt.member),
            show: (debt) => <MemberLink member={debt.member} />,
          },
          { title: "Funding", value: (debt) => debt.fundingReference },
          { title: "Case", value: (debt) => debt.caseId },
          { title: "Amount", as: "naira", value: (debt) => debt.amount },
          { title: "Still owed", as: "naira", value: (debt) => debt.debt },
          { title: "Since", as: "moment", value: (debt) => debt.openedAt },
          { title: "State", as: "state", value: (debt) => debt.state },
        ]}
        actions={({ id, state, approvalId }) =>
          state === "open" ? (
            <>
              <Action
                call="POST /api/v1/admin/debts/{debt_id}/collect"
                inPath={{ debt_id: id }}
                text="Collect"
              />
              {approvalId === null ? (
                <Action call={WRITE_OFF} inPath={{ debt_id: id }} text="Write off" />
              ) : (
                <WaitsForSecond text="Write off" call={WRITE_OFF} approvalId={approvalId} />
              )}
            </>
          ) : null
        }
      />
    </div>
  );
}
