import "@/features/subscriptions/subscriptions.css";
import { useQuery } from "@tanstack/react-query";
import { CreditCard } from "lucide-react";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { planQuery, plansQuery } from "@/api/member";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { isPurchaseUndecided } from "@/features/subscriptions/api";
import { CurrentPlan } from "@/features/subscriptions/current-plan";
import { PlanCard } from "@/features/subscriptions/plan-card";
import { PlanHistory } from "@/features/subscriptions/plan-history";
import { SubscriptionDetails } from "@/features/subscriptions/subscription-details";
import type { Purchase } from "@/lib/session/purchase";
import { useMember } from "@/lib/session/session";

const LOADING_CARDS = ["first", "second", "third"];

interface SubscriptionsProps {
  /** The wallet's balance beside the price, with a way to fund the shortfall. */
  walletNote: (purchase: Purchase) => ReactNode;
}

/** Every plan as a card; the URL may name the plan whose details are open. */
export function Subscriptions({ walletNote }: SubscriptionsProps) {
  const member = useMember();
  const plans = useQuery(plansQuery);
  const current = useQuery(planQuery(member.id)).data;
  const [search, setSearch] = useSearchParams();
  const currentId = current === undefined ? member.subscriptionId : current.subscriptionId;
  const active = plans.data?.find(({ id }) => id === currentId) ?? null;
  const chosen = plans.data?.find(
    ({ id }) =>
      id === search.get("plan") && (id !== currentId || isPurchaseUndecided(member.id, id)),
  );
  return (
    <div className="plans-page">
      <p className="plans-free">
        Free for every member: Daily Quest, boards, chat, predictions, shop
      </p>
      <CurrentPlan />
      <Loaded query={plans} pending={<PlansSkeleton />}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon={CreditCard} title="No plans at the moment">
              New plans will appear here.
            </EmptyState>
          ) : (
            <div className="plans">
              {all.map((plan) => (
                <PlanCard
                  key={plan.id}
                  plan={plan}
                  isCurrent={plan.id === currentId}
                  replaced={plan.id === currentId ? null : active}
                  endsAt={plan.id === current?.subscriptionId ? current.endsAt : null}
                  onOpen={() => setSearch({ plan: plan.id }, { replace: true })}
                />
              ))}
            </div>
          )
        }
      </Loaded>
      <p className="muted">Plans are paid from your wallet. They renew only if you choose to.</p>
      <PlanHistory />
      {chosen ? (
        <SubscriptionDetails
          key={chosen.id}
          plan={chosen}
          current={current}
          walletNote={walletNote}
          onClose={() => setSearch({}, { replace: true })}
        />
      ) : null}
    </div>
  );
}

function PlansSkeleton() {
  return (
    <div className="plans" role="status" aria-label="Loading the plans">
      {LOADING_CARDS.map((card) => (
        <div key={card} className="plan-waiting">
          <Skeleton shape="block" />
        </div>
      ))}
    </div>
  );
}
