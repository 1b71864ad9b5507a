import { formatNaira } from "@/lib/format/money";
import { MoneyTabs } from "~/areas/money/money-tabs";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { MemberLink, memberName } from "~/parts/member-link";
import { ResourceList } from "~/parts/resource-list";
import { StateBadge } from "~/parts/state-badge";
import { WaitsForSecond } from "~/parts/waits-for-second";

const WRITE_OFF = "POST /api/v1/admin/debts/{debt_id}/write-off";

const WRITTEN_OFF = "written_off";

/** Debts left by chargebacks that the wallet could not cover. */
export default function DebtsPage() {
  return (
    <div className="screen">
      <MoneyTabs />
      <ResourceList
        call="GET /api/v1/admin/debts"
        noun="debt"
        empty="No debts"
        columns={[
          {
            title: "Member",
            value: (debt) => memberName(debt.member),
            show: (debt) => <MemberLink member={debt.member} />,
          },
          { title: "Funding", value: (debt) => debt.fundingReference },
          { title: "Case", value: (debt) => debt.caseId },
          { title: "Amount", as: "naira", value: (debt) => debt.amount, total: true },
          {
            title: "Still owed",
            as: "naira",
            value: ({ state, debt }) => (state === WRITTEN_OFF ? null : debt),
            total: true,
          },
          { title: "Since", as: "moment", value: (debt) => debt.openedAt },
          {
            title: "State",
            value: (debt) => debt.state,
            sortBy: (debt) => labelOf(debt.state),
            show: ({ state, debt }) => (
              <>
                <StateBadge state={state} />
                {state === WRITTEN_OFF ? (
                  <p className="small muted">{formatNaira(debt)} was lost</p>
                ) : null}
              </>
            ),
          },
        ]}
        actions={({ id, state, approvalId, member, debt }) =>
          state === "open" ? (
            <>
              <Action
                call="POST /api/v1/admin/debts/{debt_id}/collect"
                inPath={{ debt_id: id }}
                text="Collect"
                header={`Collect ${formatNaira(debt)} from ${memberName(member)}`}
              />
              {approvalId === null ? (
                <Action
                  call={WRITE_OFF}
                  inPath={{ debt_id: id }}
                  text="Write off"
                  header={`Write off ${formatNaira(debt)} that ${memberName(member)} owes`}
                />
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
