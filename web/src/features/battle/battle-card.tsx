import { useQuery } from "@tanstack/react-query";
import {
  ArrowRight,
  CalendarClock,
  CircleDot,
  Hourglass,
  LockKeyhole,
  type LucideIcon,
  Swords,
} from "lucide-react";
import { Link } from "react-router-dom";
import { planQuery } from "@/api/member";
import type { BattleConfig } from "@/api/wire";
import { buttonClasses } from "@/components/button";
import { configQuery } from "@/features/battle/api";
import { questionsLeft, seasonState } from "@/features/battle/ladder";
import { useFreshConfig } from "@/features/battle/use-fresh-config";
import { counted } from "@/lib/counts";
import { paths } from "@/lib/paths";
import { splitTime, useServerNow } from "@/lib/server-clock";
import { useMember } from "@/lib/session";

const REDRAW_EVERY_MS = 30_000;

/** The door to the Battle Zone, and whether it is open for the member today. */
export function BattleCard() {
  const isLocked = useQuery(planQuery(useMember().id)).data?.isBattleZonePlan === false;
  const config = useQuery(configQuery).data;
  const today = isLocked ? null : config?.today;
  return (
    <section className="card game-card battle-card" aria-labelledby="battle-title">
      <Swords className="game-icon" aria-hidden="true" />
      <h2 id="battle-title">Battle Zone</h2>
      <p>Answer against the clock and climb until you are King of Fans.</p>
      <ul className="game-signs">
        {config ? <DoorSign config={config} isLocked={isLocked} /> : null}
        {isLocked ? <Sign icon={LockKeyhole}>Needs the Battle Pass</Sign> : null}
      </ul>
      <Link
        className={buttonClasses(today?.state === "done" ? "secondary" : "accent")}
        to={paths.battleZone}
      >
        {isLocked ? "See plans" : LINKS[today?.state ?? "open"]} <ArrowRight aria-hidden="true" />
      </Link>
    </section>
  );
}

const LINKS = { running: "Back to the battle", open: "Battle Zone", done: "Battle Zone" };

/** Where the season stands, or in an open one the member's day. */
function DoorSign({ config, isLocked }: { config: BattleConfig; isLocked: boolean }) {
  const nowMs = useServerNow(REDRAW_EVERY_MS);
  useFreshConfig(config, nowMs);
  const season = seasonState(config, nowMs);
  if (season === "upcoming") {
    return (
      <Sign icon={CalendarClock}>
        Opens in {longestUnit(Date.parse(config.start_date) - nowMs)}
      </Sign>
    );
  }
  if (season === "over") {
    return <Sign icon={CalendarClock}>The season is over</Sign>;
  }
  switch (isLocked ? undefined : config.today?.state) {
    case "open":
      return <Sign icon={CircleDot}>{questionsLeft(config.today?.left ?? 0)}</Sign>;
    case "done":
      return <Sign icon={Hourglass}>Today's questions are played</Sign>;
    default:
      return null;
  }
}

function Sign({ icon: Icon, children }: { icon: LucideIcon; children: React.ReactNode }) {
  return (
    <li>
      <Icon aria-hidden="true" />
      <span>{children}</span>
    </li>
  );
}

/** A wait in its largest unit: `3 days`. */
function longestUnit(leftMs: number): string {
  const { weeks, day, hrs, min } = splitTime(leftMs);
  const [amount, unit] = [
    [weeks * 7 + day, "day"] as const,
    [hrs, "hour"] as const,
    [Math.max(min, 1), "minute"] as const,
  ].find(([count]) => count > 0) ?? [1, "minute"];
  return counted(amount, unit);
}
