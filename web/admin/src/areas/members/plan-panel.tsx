import { Panel } from "@/components/panel";
import { formatShortMoment } from "@/lib/format/dates";
import { formatNaira } from "@/lib/format/money";
import type { Member } from "~/areas/members/member";
import { Action } from "~/parts/action";
import { choiceFrom } from "~/parts/choice";
import { Facts } from "~/parts/facts";
import { RowsTable } from "~/parts/rows-table";
import { StateBadge } from "~/parts/state-badge";

type Period = Member["periods"][number];

const CHOOSE_PLAN = choiceFrom("GET /api/v1/admin/plans", ({ id, plan, hidden }) => ({
  value: id,
  text: hidden ? `${plan} (hidden)` : plan,
}));

/** The current plan, past plans, and the action that gives another. */
export function PlanPanel({ member: { id, plan, periods, erasedAt } }: { member: Member }) {
  return (
    <Panel title="Plan" action={<StateBadge state={plan.state} />}>
      <Facts
        facts={{
          Plan: plan.plan,
          Ends: plan.endsAt === null ? null : formatShortMoment(plan.endsAt),
          Renews: plan.plan === null ? null : renewal(plan),
          Gift: plan.gift ? "Yes" : null,
        }}
      />
      {periods.length === 0 ? (
        <p className="muted">No plan yet.</p>
      ) : (
        <RowsTable
          rows={periods}
          columns={[
            {
              title: "Plan",
              value: (period) => (period.gift ? `${period.plan}, a gift` : period.plan),
            },
            { title: "From", as: "moment", value: ({ startsAt }) => startsAt },
            { title: "To", as: "moment", value: ({ endsAt }) => endsAt },
            { title: "State", as: "state", value: ({ state }) => state },
            { title: "Paid", as: "naira", value: ({ amount }) => amount },
          ]}
          actions={(period) => <PeriodActions period={period} />}
        />
      )}
      {erasedAt === null ? (
        <div className="buttons">
          <Action
            call="POST /api/v1/admin/members/{user_id}/gift"
            inPath={{ user_id: id }}
            text="Gift a plan"
            labels={{ planId: "Plan", replace: "Replace a paid plan that is active" }}
            controls={{ planId: CHOOSE_PLAN }}
          />
        </div>
      ) : null}
    </Panel>
  );
}

function renewal({ renews, nextAmount }: Member["plan"]): string {
  if (!renews) {
    return "no";
  }
  return nextAmount === null ? "Yes" : `For ${formatNaira(nextAmount)}`;
}

function PeriodActions({ period: { id, amount } }: { period: Period }) {
  return amount === 0 ? null : (
    <Action
      call="POST /api/v1/admin/subscriptions/{subscription_id}/refunds"
      inPath={{ subscription_id: id }}
      text="Request refund"
      labels={{ amount: "Amount in naira", end: "End the plan now" }}
    />
  );
}
