import { useQuery } from "@tanstack/react-query";
import { ArrowRight, CalendarClock, CircleDot, LockKeyhole, Swords } from "lucide-react";
import { Link } from "react-router-dom";
import { planQuery } from "@/api/member";
import type { BattleConfig } from "@/api/wire";
import { buttonClasses } from "@/components/button";
import { configQuery } from "@/features/battle/api";
import { seasonState } from "@/features/battle/ladder";
import { paths } from "@/lib/paths";
import { splitTime, useServerNow } from "@/lib/server-clock";
import { useMember } from "@/lib/session";

const REDRAW_EVERY_MS = 30_000;

/** The door to the Battle Zone, and whether it is open for the member. */
export function BattleCard() {
  const plan = useQuery(planQuery(useMember().id)).data;
  const config = useQuery(configQuery).data;
  const nowMs = useServerNow(REDRAW_EVERY_MS);
  return (
    <section className="card game-card battle-card" aria-labelledby="battle-title">
      <Swords className="game-icon" aria-hidden="true" />
      <h2 id="battle-title">Battle Zone</h2>
      <p>Answer against the clock and climb until you are King of Fans.</p>
      <ul className="game-signs">
        {config ? <SeasonSign config={config} nowMs={nowMs} /> : null}
        {plan?.isBattleZonePlan === false ? (
          <li>
            <LockKeyhole aria-hidden="true" />
            Needs an upgrade
          </li>
        ) : null}
      </ul>
      <Link className={buttonClasses("accent")} to={paths.battleZone}>
        Battle Zone <ArrowRight aria-hidden="true" />
      </Link>
    </section>
  );
}

function SeasonSign({ config, nowMs }: { config: BattleConfig; nowMs: number }) {
  const state = seasonState(config, nowMs);
  const Sign = state === "open" ? CircleDot : CalendarClock;
  return (
    <li>
      <Sign aria-hidden="true" />
      {SIGNS[state](Date.parse(config.start_date) - nowMs)}
    </li>
  );
}

const SIGNS: Record<BattleConfig["state"], (leftMs: number) => string> = {
  upcoming: (leftMs) => `Opens in ${longestUnit(leftMs)}`,
  open: () => "Open now",
  over: () => "The season is over",
};

/** A wait in its largest unit: `3 days`. */
function longestUnit(leftMs: number): string {
  const { weeks, day, hrs, min } = splitTime(leftMs);
  const [amount, unit] = [
    [weeks * 7 + day, "day"] as const,
    [hrs, "hour"] as const,
    [Math.max(min, 1), "minute"] as const,
  ].find(([count]) => count > 0) ?? [1, "minute"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
}
