import type { ReactNode } from "react";
import type { Plan, PlanStanding } from "@/api/wire";
import { Modal } from "@/components/modal";
import { durationText, periodText } from "@/features/subscriptions/rules";
import { useSubscribe } from "@/features/subscriptions/use-subscribe";
import { formatNairaShort } from "@/lib/money";

interface SubscriptionDetailsProps {
  plan: Plan;
  standing: PlanStanding | undefined;
  walletNote: (priceNaira: number) => ReactNode;
  onClose: () => void;
}

/** 'Subscription Details': what is bought, what the wallet holds, and what becomes of an old plan. */
export function SubscriptionDetails({
  plan,
  standing,
  walletNote,
  onClose,
}: SubscriptionDetailsProps) {
  const purchase = useSubscribe(onClose);
  return (
    <Modal
      header="Subscription Details"
      submitText="Subscribe"
      submitting={purchase.isPending}
      onClose={onClose}
      onSubmit={() => purchase.mutate(plan.id)}
      content={
        <>
          <dl className="details">
            <Detail term="Plan" value={plan.plan} />
            <Detail term="Price" value={formatNairaShort(plan.amount)} />
            <Detail term="Period" value={periodText(plan)} />
            <Detail term="Duration" value={String(plan.duration)} />
          </dl>
          {standing?.plan ? (
            <p className="notice">
              <span>
                {plan.plan} starts now and your {standing.plan} plan ends. Its unused whole days are
                paid back to your wallet.
              </span>
            </p>
          ) : (
            <p className="small muted">It starts now and runs for {durationText(plan)}.</p>
          )}
          {walletNote(plan.amount)}
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
