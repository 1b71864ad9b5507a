import type { ReactNode } from "react";
import type { Plan, PlanState } from "@/api/wire";
import { Modal } from "@/components/modal";
import { durationText, periodText } from "@/features/subscriptions/rules";
import { useSubscribe } from "@/features/subscriptions/use-subscribe";
import { formatNairaShort } from "@/lib/format/money";
import type { Purchase } from "@/lib/session/purchase";

interface SubscriptionDetailsProps {
  plan: Plan;
  current: PlanState | undefined;
  walletNote: (purchase: Purchase) => ReactNode;
  onClose: () => void;
}

/** 'Subscription Details': the plan, the wallet's balance, and the effect on the current plan. */
export function SubscriptionDetails({
  plan,
  current,
  walletNote,
  onClose,
}: SubscriptionDetailsProps) {
  const subscription = useSubscribe(onClose);
  const subscribe = () => subscription.mutate(plan.id);
  return (
    <Modal
      header="Subscription Details"
      submitText="Subscribe"
      submitting={subscription.isPending}
      onClose={onClose}
      onSubmit={subscribe}
      content={
        <>
          <dl className="details">
            <Detail term="Plan" value={plan.plan} />
            <Detail term="Price" value={formatNairaShort(plan.amount)} />
            <Detail term="Period" value={periodText(plan)} />
            <Detail term="Duration" value={String(plan.duration)} />
          </dl>
          {current?.plan && current.subscriptionId !== plan.id ? (
            <p className="notice">
              <span>
                {plan.plan} starts now and your {current.plan} plan ends. Its unused whole days are
                paid back to your wallet.
              </span>
            </p>
          ) : (
            <p className="small muted">It starts now and runs for {durationText(plan)}.</p>
          )}
          {walletNote({
            kind: "plan",
            costNaira: plan.amount,
            content: JSON.stringify([plan.id, plan.amount]),
            isReady: () => !subscription.isPending,
            send: subscribe,
          })}
        </>
      }
    />
  );
}

function Detail({ term, value }: { term: string; value: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </div>
  );
}
