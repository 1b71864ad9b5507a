import { Check, Crown, MapPin } from "lucide-react";
import type { BattleConfig, BattleRank } from "@/api/wire";
import { Panel } from "@/components/panel";
import { ladder, type Rung, windowOf } from "@/features/battle/ladder";
import { formatMoment } from "@/lib/dates";
import { formatCount } from "@/lib/money";

interface SidePanelProps {
  config: BattleConfig;
  ranks: BattleRank[];
  badge: string;
  /** Battle points of the season; undefined while they are not known. */
  battlePoints: number | undefined;
}

/** The instructions, the ladder with the member's place in it, and the dates. */
export function SidePanel({ config, ranks, badge, battlePoints }: SidePanelProps) {
  const rungs = ladder(ranks, badge);
  return (
    <aside className="battle-side" aria-label="About the battle">
      <Panel title="Rank ladder">
        <ol className="ladder">
          {[...rungs].reverse().map((rung) => (
            <RungLine
              key={rung.slug}
              rung={rung}
              config={config}
              nextName={rungs[rungs.indexOf(rung) + 1]?.name}
              battlePoints={battlePoints}
            />
          ))}
        </ol>
      </Panel>
      <Panel title="Instructions">
        <ul className="instructions">
          <li>
            You get {config.questions_per_day} questions a day and {config.question_time_limit}{" "}
            seconds for each.
          </li>
          <li>
            A right answer earns {config.point_per_question} points; a wrong or late one earns none.
          </li>
          <li>The clock runs on the server. It does not wait for a lost connection.</li>
          <li>Tap an answer, or press 1 to 4 or A to D. It counts at once.</li>
        </ul>
        <dl className="dates">
          <div>
            <dt>Starts</dt>
            <dd>{formatMoment(config.start_date)}</dd>
          </div>
          <div>
            <dt>Ends</dt>
            <dd>{formatMoment(config.end_date)}</dd>
          </div>
        </dl>
      </Panel>
    </aside>
  );
}

interface RungLineProps {
  rung: Rung;
  config: BattleConfig;
  nextName: string | undefined;
  battlePoints: number | undefined;
}

const SIGNS = { behind: Check, here: MapPin, ahead: Crown };

function RungLine({ rung, config, nextName, battlePoints }: RungLineProps) {
  const isHere = rung.place === "here";
  const Sign = nextName === undefined ? Crown : SIGNS[rung.place];
  const { startsAt, endsAt } = windowOf(rung, config);
  return (
    <li className={`rung is-${rung.place}`} aria-current={isHere ? "step" : undefined}>
      <span className="rung-sign">
        {nextName === undefined || rung.place !== "ahead" ? <Sign aria-hidden="true" /> : null}
      </span>
      <div>
        <strong>{rung.name}</strong>
        {isHere ? <span className="board-you">You are here</span> : null}
        {rung.leavesAt !== null && nextName !== undefined ? (
          <p className="small">
            {formatCount(rung.leavesAt)} points to {nextName}
          </p>
        ) : (
          <p className="small">The top of the ladder</p>
        )}
        {isHere && rung.leavesAt !== null && battlePoints !== undefined ? (
          <Progress points={battlePoints} target={rung.leavesAt} />
        ) : null}
        {nextName === undefined ? null : (
          <p className="rung-dates">
            {formatMoment(startsAt)} to {formatMoment(endsAt)}
          </p>
        )}
      </div>
    </li>
  );
}

function Progress({ points, target }: { points: number; target: number }) {
  return (
    <p className="small rung-progress">
      <progress max={target} value={points} aria-label="Battle points" />
      {formatCount(points)} of {formatCount(target)}
    </p>
  );
}
