import "@/features/subscriptions/current-plan.css";
import { useQuery } from "@tanstack/react-query";
import { Gift, TriangleAlert } from "lucide-react";
import { Link } from "react-router-dom";
import { planQuery } from "@/api/member";
import type { PlanState } from "@/api/wire";
import { buttonClasses } from "@/components/button";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Skeleton, SkeletonOf } from "@/components/skeleton";
import { SwitchChoice } from "@/components/switch-choice";
import { renewalNote } from "@/features/subscriptions/rules";
import { useRenewal } from "@/features/subscriptions/use-renewal";
import { formatMoment } from "@/lib/format/dates";
import { formatNairaShort } from "@/lib/format/money";
import { paths } from "@/lib/format/paths";
import { useMember } from "@/lib/session/session";

/** The member's current plan: its end, what follows, and the renewal switch. */
export function CurrentPlan() {
  const plan = useQuery(planQuery(useMember().id));
  return (
    <Panel title="Your plan">
      <Loaded query={plan} pending={<CurrentPlanSkeleton />}>
        {(known) => (known.state === "none" ? <NoPlan /> : <PlanDetails plan={known} />)}
      </Loaded>
    </Panel>
  );
}

function NoPlan() {
  return (
    <p>
      <b>You have no plan.</b> Choose one below. It starts at once and is paid from your wallet.
    </p>
  );
}

function CurrentPlanSkeleton() {
  const { subscriptionId } = useMember();
  return (
    <div role="status" aria-label="Loading your plan">
      {subscriptionId === null ? (
        <SkeletonOf>
          <NoPlan />
        </SkeletonOf>
      ) : (
        <div className="current-plan-waiting">
          <Skeleton shape="block" />
        </div>
      )}
    </div>
  );
}

function PlanDetails({ plan }: { plan: PlanState }) {
  const renewal = useRenewal();
  const renews = renewal.isPending ? renewal.variables : plan.renews;
  // A plan that cannot be renewed can still be switched off.
  const hasChoice = plan.nextAmount !== null || plan.renews;
  return (
    <div className="current-plan">
      <p className="current-plan-name">
        <strong>{plan.plan}</strong>
        {plan.gift ? (
          <span className="plan-sign">
            <Gift aria-hidden="true" />
            Gift
          </span>
        ) : null}
      </p>
      {plan.state === "grace" ? <Grace plan={plan} /> : <NextDay plan={plan} renews={renews} />}
      {plan.priceChange ? <PriceChange change={plan.priceChange} /> : null}
      {hasChoice ? (
        <SwitchChoice
          title="Renew automatically"
          note={renewalNote(plan)}
          checked={renews}
          onChange={(isOn) => renewal.mutate(isOn)}
        />
      ) : (
        <p className="small muted">This plan cannot be renewed.</p>
      )}
    </div>
  );
}

/** When the period ends, and what happens then. */
function NextDay({ plan, renews }: { plan: PlanState; renews: boolean }) {
  const { endsAt, nextAmount } = plan;
  const isRenewing = renews && nextAmount !== null;
  return (
    <dl className="details">
      <div>
        <dt>{isRenewing ? "Renews on" : "Ends on"}</dt>
        <dd>{endsAt ? <time dateTime={endsAt}>{formatMoment(endsAt)}</time> : null}</dd>
      </div>
      {isRenewing ? (
        <div>
          <dt>Next payment</dt>
          <dd>{formatNairaShort(nextAmount)}</dd>
        </div>
      ) : null}
    </dl>
  );
}

/** The plan is over and unpaid: the end of the grace period, and how to keep it. */
function Grace({ plan }: { plan: PlanState }) {
  const { endsAt, graceEndsAt, nextAmount } = plan;
  const price = nextAmount === null ? "its price" : formatNairaShort(nextAmount);
  return (
    <div className="notice notice-error current-plan-grace">
      <TriangleAlert aria-hidden="true" />
      <p>
        Your plan ended on {formatMoment(endsAt ?? "")} and your wallet did not hold {price} for the
        next period. You keep it until{" "}
        <strong>
          <time dateTime={graceEndsAt ?? undefined}>{formatMoment(graceEndsAt ?? "")}</time>
        </strong>
        . Fund your wallet before then, and it renews automatically.
      </p>
      <Link className={buttonClasses("accent")} to={paths.wallet}>
        To your wallet
      </Link>
    </div>
  );
}

function PriceChange({ change }: { change: NonNullable<PlanState["priceChange"]> }) {
  return (
    <p className="notice">
      <span>
        The price changes: a renewal from <strong>{formatMoment(change.from)}</strong> on costs{" "}
        <strong>{formatNairaShort(change.amount)}</strong>. Until then it stays as it is.
      </span>
    </p>
  );
}
