import { type ReactNode, useState } from "react";
import type { Plan, PlanState } from "@/api/wire";
import { Modal } from "@/components/modal";
import { isPurchaseUndecided } from "@/features/subscriptions/api";
import { durationText, periodText } from "@/features/subscriptions/rules";
import { useSubscribe } from "@/features/subscriptions/use-subscribe";
import { formatNairaShort } from "@/lib/format/money";
import type { Purchase } from "@/lib/session/purchase";
import { useMember } from "@/lib/session/session";

interface SubscriptionDetailsProps {
  plan: Plan;
  current: PlanState | undefined;
  walletNote: (purchase: Purchase) => ReactNode;
  onClose: () => void;
}

/**
 * 'Subscription Details': the plan, the wallet's balance, and the effect on the current plan.
 *
 * With too little in the wallet, the one action funds it and subscribes.
 */
export function SubscriptionDetails({
  plan,
  current,
  walletNote,
  onClose,
}: SubscriptionDetailsProps) {
  const subscription = useSubscribe(onClose);
  const { id: userId } = useMember();
  const [isShort, setShort] = useState(false);
  const subscribe = () => subscription.mutate(plan);
  // After a lost response the wallet may already be charged: pressing again gets the outcome.
  const isUndecided = !subscription.isPending && isPurchaseUndecided(userId, plan.id);
  return (
    <Modal
      header="Subscription Details"
      submitText="Subscribe"
      submitting={subscription.isPending}
      onClose={onClose}
      {...(isShort && !isUndecided ? {} : { onSubmit: subscribe })}
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
          {isUndecided
            ? null
            : walletNote({
                kind: "plan",
                costNaira: plan.amount,
                content: JSON.stringify([plan.id, plan.amount]),
                isReady: () => !subscription.isPending,
                send: subscribe,
                onShortfall: setShort,
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
