import { counted } from "@/lib/format/counts";
import type { RowOf } from "~/api/calls";
import { ask } from "~/api/client";
import { Action } from "~/parts/action";
import { ResourceList } from "~/parts/resource-list";

type Plan = RowOf<"GET /api/v1/admin/plans">;

/** About the days of a period, for sorting. */
const DAYS = { day: 1, week: 7, month: 30, year: 365 };

const LABELS = { plan: "Name", amount: "Price in naira", battleZone: "Opens the Battle Zone" };

/** All plans, on offer or not. */
export default function PlansPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/plans"
      noun="plan"
      sortedBy={{ title: "Plan" }}
      empty="No plans"
      beside={
        <Action call="POST /api/v1/admin/plans" text="New plan" variant="primary" labels={LABELS} />
      }
      columns={[
        { title: "Plan", value: (plan) => plan.plan },
        { title: "Price", as: "naira", value: (plan) => plan.amount },
        {
          title: "Lasts",
          value: (plan) => counted(plan.duration, plan.period),
          show: (plan) => <span className="is-whole">{counted(plan.duration, plan.period)}</span>,
          sortBy: (plan) => plan.duration * DAYS[plan.period],
        },
        { title: "Benefits", value: (plan) => plan.benefits.join(", ") },
        {
          title: "Battle Zone",
          minor: true,
          value: (plan) => (plan.battleZone ? "Included" : null),
        },
        { title: "State", as: "state", value: (plan) => (plan.hidden ? "hidden" : "active") },
      ]}
      actions={(plan) => <PlanActions plan={plan} />}
    />
  );
}

function PlanActions({ plan }: { plan: Plan }) {
  return (
    <>
      <Action
        call="PATCH /api/v1/admin/plans/{plan_id}"
        inPath={{ plan_id: plan.id }}
        text="Save"
        button="Change"
        header={`Change ${plan.plan}`}
        note="Current periods and renewals due in the next 14 days keep their price."
        labels={LABELS}
        current={plan}
        reread={() => rereadPlan(plan.id)}
      />
      <Action
        call="POST /api/v1/admin/plans/{plan_id}/gifts"
        inPath={{ plan_id: plan.id }}
        text="Gift a plan"
        header={`Gift ${plan.plan} to several members`}
        labels={{ userIds: "Member IDs" }}
      />
    </>
  );
}

async function rereadPlan(id: string): Promise<Plan | undefined> {
  const { rows } = await ask("GET /api/v1/admin/plans", { inQuery: { limit: 100 } });
  return rows.find((plan) => plan.id === id);
}
