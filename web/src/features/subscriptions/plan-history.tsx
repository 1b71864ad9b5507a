import "@/features/subscriptions/current-plan.css";
import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import type { PlanPeriod } from "@/api/wire";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { StatusBadge } from "@/components/status-badge";
import { planHistoryQuery } from "@/features/subscriptions/api";
import { periodState } from "@/features/subscriptions/rules";
import { formatMoment } from "@/lib/format/dates";
import { formatNairaShort } from "@/lib/format/money";
import { useMember } from "@/lib/session/session";

const LOADING_ROWS = ["first", "second"];

/** Every period of the member, newest first. */
export function PlanHistory() {
  const periods = useInfiniteQuery(planHistoryQuery(useMember().id));
  return (
    <Panel title="Plan history">
      <Loaded query={periods} pending={<HistorySkeleton />}>
        {({ pages }) => <Periods periods={pages.flat()} />}
      </Loaded>
      {periods.hasNextPage ? (
        <Button
          variant="secondary"
          busy={periods.isFetchingNextPage}
          onClick={() => void periods.fetchNextPage()}
        >
          Show older
        </Button>
      ) : null}
    </Panel>
  );
}

function Periods({ periods }: { periods: PlanPeriod[] }) {
  if (periods.length === 0) {
    return (
      <EmptyState icon={History} title="No plans yet">
        Your plans are listed here.
      </EmptyState>
    );
  }
  return (
    <ol>
      {periods.map((period) => (
        <Period key={period.id} period={period} />
      ))}
    </ol>
  );
}

function Period({ period }: { period: PlanPeriod }) {
  const state = periodState(period.state);
  return (
    <li className="plan-period">
      <div className="plan-period-what">
        <strong>{period.plan}</strong>
        <span className="small muted">
          {formatMoment(period.startsAt)} to {formatMoment(period.endsAt)}
        </span>
        {period.credited > 0 ? (
          <span className="small muted">
            {formatNairaShort(period.credited)} for unused days went back to your wallet.
          </span>
        ) : null}
        <span className="plan-period-states">
          <StatusBadge tone={state.tone} text={state.text} />
          {period.gift ? <StatusBadge tone="info" text="Gift" /> : null}
        </span>
      </div>
      <span className="plan-period-amount">{formatNairaShort(period.amount)}</span>
    </li>
  );
}

function HistorySkeleton() {
  return (
    <div role="status" aria-label="Loading the plan history">
      {LOADING_ROWS.map((row) => (
        <div key={row} className="plan-period">
          <Skeleton shape="numeral" />
        </div>
      ))}
    </div>
  );
}
