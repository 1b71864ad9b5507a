import "@/styles/board.css";
import "@/features/battle/arena.css";
import "@/features/battle/side-panel.css";
import { Check, Crown, MapPin } from "lucide-react";
import type { BattleConfig, BattleRank } from "@/api/wire";
import { Panel } from "@/components/panel";
import { ladder, type Rung, windowOf } from "@/features/battle/ladder";
import { formatMoment } from "@/lib/format/dates";
import { rankName } from "@/lib/format/names";
import { inBattlePoints, inPoints, rankProgress } from "@/lib/format/points";

interface SidePanelProps {
  config: BattleConfig;
  ranks: BattleRank[];
  badge: string;
  /** Battle points of the season; undefined while unknown. */
  battlePoints: number | undefined;
}

/** The instructions, the ladder with the member's rank, and the dates. */
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
              next={rungs[rungs.indexOf(rung) + 1]?.slug}
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
            A right answer earns {inPoints(config.point_per_question)}; a wrong or late one earns
            none.
          </li>
          <li>The clock runs on the server. It does not wait for a lost connection.</li>
          <li>Tap an answer, or press 1 to 4 or A to D. It counts immediately.</li>
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
  next: string | undefined;
  battlePoints: number | undefined;
}

const SIGNS = { behind: Check, here: MapPin, ahead: Crown };

function RungLine({ rung, config, next, battlePoints }: RungLineProps) {
  const isHere = rung.place === "here";
  const Sign = next === undefined ? Crown : SIGNS[rung.place];
  const { startsAt, endsAt } = windowOf(rung, config);
  return (
    <li className={`rung is-${rung.place}`} aria-current={isHere ? "step" : undefined}>
      <span className="rung-sign">
        {next === undefined || rung.place !== "ahead" ? <Sign aria-hidden="true" /> : null}
      </span>
      <div>
        <strong>{rung.name}</strong>
        {isHere ? <span className="board-you">You are here</span> : null}
        {rung.leavesAt !== null && next !== undefined ? (
          <Way
            needed={rung.leavesAt}
            next={next}
            battlePoints={isHere ? battlePoints : undefined}
          />
        ) : (
          <p className="small">The top of the ladder</p>
        )}
        {next === undefined ? null : (
          <p className="rung-dates">
            {formatMoment(startsAt)} to {formatMoment(endsAt)}
          </p>
        )}
      </div>
    </li>
  );
}

interface WayProps {
  needed: number;
  next: string;
  /** Undefined on the other rungs, and while unknown. */
  battlePoints: number | undefined;
}

/** The points needed for the next rank, and the member's progress. */
function Way({ needed, next, battlePoints }: WayProps) {
  return battlePoints === undefined ? (
    <p className="small">
      {inBattlePoints(needed)} to {rankName(next)}
    </p>
  ) : (
    <p className="small rung-progress">
      <progress max={needed} value={battlePoints} aria-label="Battle points" />
      {rankProgress(battlePoints, needed, next)}
    </p>
  );
}
