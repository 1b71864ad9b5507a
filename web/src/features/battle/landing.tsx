import "@/features/battle/arena.css";
import "@/features/battle/landing.css";
import { useQuery } from "@tanstack/react-query";
import { CalendarX, Crown, Swords } from "lucide-react";
import { statisticsQuery } from "@/api/member";
import type { BattleConfig, BattleRank } from "@/api/wire";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { NextTime } from "@/components/next-time";
import { questionsLeft, seasonState } from "@/features/battle/ladder";
import { SeasonCountdown } from "@/features/battle/season-countdown";
import { SidePanel } from "@/features/battle/side-panel";
import { useFreshConfig } from "@/features/battle/use-fresh-config";
import { formatMoment } from "@/lib/format/dates";
import { useServerNow } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";

interface LandingProps {
  config: BattleConfig | null;
  ranks: BattleRank[];
  onEnter: () => void;
}

/** The zone's entry: enter, wait for the start or the next day, or read that it is over. */
export function Landing({ config, ranks, onEnter }: LandingProps) {
  const member = useMember();
  const ranking = useQuery(statisticsQuery(member.id)).data?.ranking;
  if (config === null) {
    return (
      <section className="card" aria-label="No season">
        <EmptyState icon={CalendarX} title="No battle is planned">
          The next season will be announced here.
        </EmptyState>
      </section>
    );
  }
  return (
    <div className="battle-columns">
      <ZoneEntry config={config} onEnter={onEnter} />
      <SidePanel
        config={config}
        ranks={ranks}
        badge={ranking?.badge ?? member.badge}
        battlePoints={ranking?.battlePoints}
      />
    </div>
  );
}

function ZoneEntry({ config, onEnter }: { config: BattleConfig; onEnter: () => void }) {
  const nowMs = useServerNow();
  const state = seasonState(config, nowMs);
  const today = state === "open" ? config.today : null;
  useFreshConfig(config, nowMs);
  return (
    <section className="card hero" aria-labelledby="battle-door">
      <Swords className="hero-mark" aria-hidden="true" />
      <p className="hero-sign">{config.name}</p>
      <h2 id="battle-door" className="hero-title">
        KING of fans!
      </h2>
      {state === "over" ? (
        <SeasonOver config={config} />
      ) : (
        <ul className="shirts" aria-label="How a day is played">
          <Shirt number={config.questions_per_day} text="questions a day" />
          <Shirt number={config.question_time_limit} text="seconds each" />
          <Shirt number={config.point_per_question} text="points each" />
        </ul>
      )}
      {today?.state === "open" ? <p className="hero-sign">{questionsLeft(today.left)}</p> : null}
      {today?.state === "done" ? (
        <>
          <h3>You have played today's questions</h3>
          <NextTime at={today.nextAt} label="The next questions open in" />
        </>
      ) : null}
      {state === "upcoming" ? (
        <SeasonCountdown leftMs={Date.parse(config.start_date) - nowMs} />
      ) : null}
      {state === "open" && today?.state !== "done" ? (
        <Button variant="accent" className="hero-button" onClick={onEnter}>
          {today?.state === "running" ? "Back to the battle" : "Enter Battle Ground"}
        </Button>
      ) : null}
    </section>
  );
}

function Shirt({ number, text }: { number: number; text: string }) {
  return (
    <li>
      <span className="numeral">{number}</span>
      <span className="small">{text}</span>
    </li>
  );
}

function SeasonOver({ config }: { config: BattleConfig }) {
  return (
    <div className="season-over">
      <Crown aria-hidden="true" />
      <p>
        <strong>The season is over.</strong> It ended on {formatMoment(config.end_date)}. The next
        one will be announced here.
      </p>
    </div>
  );
}
