import "@/features/battle/upgrade.css";
import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Check, LockKeyhole } from "lucide-react";
import { Link } from "react-router-dom";
import { plansQuery } from "@/api/member";
import { todayQuery } from "@/api/today";
import { buttonClasses } from "@/components/button";
import { RankProgress } from "@/components/rank-progress";
import { formatNairaShort } from "@/lib/format/money";
import { paths } from "@/lib/format/paths";
import { useMember } from "@/lib/session/session";

const INSIDE = [
  "Five fresh questions a day, against the clock",
  "A ladder of ranks up to King of Fans",
  "Challengers from every club on one board",
];

/**
 * The upgrade prompt for members without a battle plan: the benefits, and the plan that opens it.
 */
export function Upgrade() {
  const me = useQuery(todayQuery(useMember())).data?.me;
  const plans = useQuery(plansQuery).data ?? [];
  const cheapest = plans
    .filter(({ battleZone }) => battleZone)
    .sort((first, second) => first.amount - second.amount)[0];
  return (
    <section className="card hero upgrade" aria-labelledby="upgrade-title">
      <LockKeyhole className="hero-mark" aria-hidden="true" />
      <h2 id="upgrade-title">Battle Zone Upgrade</h2>
      <p>Upgrade to a plan that include battle zone by subscribing.</p>
      <ul className="ticks">
        {INSIDE.map((line) => (
          <li key={line}>
            <Check aria-hidden="true" />
            {line}
          </li>
        ))}
      </ul>
      <RankProgress me={me} />
      <Link
        className={buttonClasses("accent")}
        to={cheapest ? paths.subscription(cheapest.id) : paths.subscriptions}
      >
        {cheapest
          ? `${cheapest.plan} for ${formatNairaShort(cheapest.amount)}`
          : "See the subscriptions"}
        <ArrowRight aria-hidden="true" />
      </Link>
    </section>
  );
}
