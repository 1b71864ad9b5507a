import "@/features/subscriptions/plan-card.css";
import { Check, Swords } from "lucide-react";
import type { Plan } from "@/api/wire";
import { Button } from "@/components/button";
import { benefitsOf, durationText } from "@/features/subscriptions/rules";
import { formatMoment } from "@/lib/format/dates";
import { formatNairaShort } from "@/lib/format/money";

interface PlanCardProps {
  plan: Plan;
  isCurrent: boolean;
  /** The end of the member's plan; null for other plans. */
  endsAt: string | null;
  onOpen: () => void;
}

/** A plan: name, price, duration, benefits, and Subscribe or Subscribed. */
export function PlanCard({ plan, isCurrent, endsAt, onOpen }: PlanCardProps) {
  return (
    <article
      className={`card plan ${plan.battleZone ? "is-battle" : ""}`}
      aria-labelledby={`plan-${plan.id}`}
    >
      <h2 id={`plan-${plan.id}`}>{plan.plan}</h2>
      {plan.battleZone ? (
        <p className="plan-sign">
          <Swords aria-hidden="true" />
          Battle Zone
        </p>
      ) : null}
      <p className="plan-price">
        <span className="numeral">{formatNairaShort(plan.amount)}</span>
        <span>{durationText(plan)}</span>
      </p>
      <ul className="ticks">
        {benefitsOf(plan).map((benefit) => (
          <li key={benefit}>
            <Check aria-hidden="true" />
            {benefit}
          </li>
        ))}
      </ul>
      <div className="plan-action">
        {endsAt ? <p className="small">Runs until {formatMoment(endsAt)}</p> : null}
        <Button
          wide
          variant={plan.battleZone ? "accent" : "primary"}
          disabled={isCurrent}
          aria-describedby={`plan-${plan.id}`}
          onClick={onOpen}
        >
          {isCurrent ? "Subscribed" : "Subscribe"}
        </Button>
      </div>
    </article>
  );
}
