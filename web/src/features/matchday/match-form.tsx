import { Link } from "react-router-dom";
import type { Match, MatchTeam } from "@/api/wire";
import { Crest } from "@/components/crest";
import { Panel } from "@/components/panel";
import { type Outcome, outcomeFor, spoken } from "@/features/matchday/rules";
import { formatDay } from "@/lib/format/dates";
import { paths } from "@/lib/format/paths";

const IN_FORM = 5;
const IN_FULL = 3;

/** A side of a match and its results, newest first. */
export interface SideForm {
  team: MatchTeam;
  results: Match[];
}

/** How both sides did lately: marks, the newest at the end, and their last results. */
export function MatchForm({ sides, nowMs }: { sides: SideForm[]; nowMs: number }) {
  return (
    <Panel title="Form" className="match-form">
      {sides.map(({ team, results }) => (
        <section key={team.teamId} className="form-side" aria-label={`${team.name}, last results`}>
          <h3 className="form-head">
            <Crest clubName={team.name} emblem={team.emblem} size={28} />
            <span>{team.name}</span>
            <span className="form-marks">
              {results
                .slice(0, IN_FORM)
                .toReversed()
                .map((match) => (
                  <Mark key={match.id} outcome={outcomeFor(match, team.teamId)} />
                ))}
            </span>
          </h3>
          {results.length === 0 ? (
            <p className="small muted">No results yet</p>
          ) : (
            <ul className="form-results">
              {results.slice(0, IN_FULL).map((match) => (
                <li key={match.id}>
                  <Result match={match} nowMs={nowMs} />
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </Panel>
  );
}

function Result({ match, nowMs }: { match: Match; nowMs: number }) {
  const { id, home, away, goals, kickOffAt } = match;
  return (
    <Link className="form-result" to={paths.match(id)} aria-label={spoken(match, nowMs)}>
      <span className="small muted">{formatDay(Date.parse(kickOffAt))}</span>
      <span>
        {home.name} <b>{goals === null ? "v" : `${goals.home}–${goals.away}`}</b> {away.name}
      </span>
    </Link>
  );
}

/** A result as its letter, in words for screen readers. */
function Mark({ outcome }: { outcome: Outcome }) {
  return (
    <span className={`match-mark match-${outcome.toLowerCase()}`}>
      <span aria-hidden="true">{outcome[0]}</span>
      <span className="visually-hidden">{outcome} </span>
    </span>
  );
}
