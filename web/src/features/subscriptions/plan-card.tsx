import "@/features/subscriptions/plan-card.css";
import { Check, Swords } from "lucide-react";
import type { Plan } from "@/api/wire";
import { Button, type ButtonVariant } from "@/components/button";
import { benefitsOf, durationText } from "@/features/subscriptions/rules";
import { formatMoment } from "@/lib/format/dates";
import { formatNairaShort } from "@/lib/format/money";

interface PlanCardProps {
  plan: Plan;
  isCurrent: boolean;
  /** The member's plan that this one would replace; null without one. */
  replaced: Plan | null;
  /** The end of the member's plan; null for other plans. */
  endsAt: string | null;
  onOpen: () => void;
}

/** A plan that costs no more than the member's own is not what the page recommends. */
function variantOf(plan: Plan, replaced: Plan | null): ButtonVariant {
  if (isCheaper(plan, replaced)) {
    return "secondary";
  }
  return plan.battleZone ? "accent" : "primary";
}

function isCheaper(plan: Plan, replaced: Plan | null): boolean {
  return replaced !== null && plan.amount <= replaced.amount;
}

function textOf(plan: Plan, isCurrent: boolean, replaced: Plan | null): string {
  if (isCurrent) {
    return "Subscribed";
  }
  return isCheaper(plan, replaced) ? `Switch to ${plan.plan}` : "Subscribe";
}

/** A plan: name, price, duration, benefits, and Subscribe, Switch or Subscribed. */
export function PlanCard({ plan, isCurrent, replaced, endsAt, onOpen }: PlanCardProps) {
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
        {replaced ? <p className="small">Replaces your {replaced.plan}</p> : null}
        <Button
          wide
          variant={variantOf(plan, replaced)}
          disabled={isCurrent}
          aria-describedby={`plan-${plan.id}`}
          onClick={onOpen}
        >
          {textOf(plan, isCurrent, replaced)}
        </Button>
      </div>
    </article>
  );
}
