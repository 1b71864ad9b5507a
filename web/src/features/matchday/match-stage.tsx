import "@/styles/versus.css";
import "@/features/matchday/match-stage.css";
import type { ReactNode } from "react";
import type { Match, MatchTeam } from "@/api/wire";
import { Crest } from "@/components/crest";
import { isRunning, playedFor, stateText } from "@/features/matchday/rules";
import type { MatchColours } from "@/features/matchday/use-match-colours";
import { formatMoment } from "@/lib/format/dates";
import { until } from "@/lib/format/until";

const CREST_SIZE = 64;

interface MatchStageProps {
  match: Match;
  colours: MatchColours;
  nowMs: number;
}

/** The head of a match, between the colours of both clubs: the score, or the time to kick-off. */
export function MatchStage({ match, colours, nowMs }: MatchStageProps) {
  const { home, away, goals, venue, kickOffAt, state } = match;
  const isToCome = state === "scheduled" && Date.parse(kickOffAt) > nowMs;
  return (
    <section className="match-stage" aria-label={`${home.name} against ${away.name}`}>
      <Slant side="left" pair={colours.home} />
      <Slant side="right" pair={colours.away} />
      <div className="versus">
        <p className="versus-of small">{playedFor(match)}</p>
        <div className="versus-row">
          <Side team={home} />
          <p className="stage-score" role="status">
            {goals === null ? (
              <span className="numeral">v</span>
            ) : (
              <b className="numeral">
                {goals.home}
                <span className="visually-hidden"> to </span>
                <span aria-hidden="true">–</span>
                {goals.away}
              </b>
            )}
            <span className={isRunning(match) ? "stage-state is-running" : "stage-state"}>
              {stateText(match, nowMs)}
            </span>
          </p>
          <Side team={away} />
        </div>
        <p className="small">
          {formatMoment(kickOffAt)}
          {venue === null ? "" : ` · ${venue}`}
        </p>
        {isToCome ? (
          <p className="versus-count">
            <time dateTime={kickOffAt}>{until(kickOffAt, nowMs)}</time>
          </p>
        ) : null}
        <Scorers match={match} />
      </div>
    </section>
  );
}

function Side({ team }: { team: MatchTeam }): ReactNode {
  return (
    <div className="versus-team">
      <Crest clubName={team.name} emblem={team.emblem} size={CREST_SIZE} />
      <h2>{team.name}</h2>
    </div>
  );
}

/** The scorers; none after a correction without them. */
function Scorers({ match: { scored, goals, home, away } }: { match: Match }) {
  const isWhole = goals !== null && scored.length === goals.home + goals.away;
  return scored.length === 0 || !isWhole ? null : (
    <ul className="match-scored small">
      {scored.map(({ side, minute }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two goals of a minute differ by their place
        <li key={index} className={`of-${side}`}>
          {minute}' {side === "home" ? home.name : away.name}
        </li>
      ))}
    </ul>
  );
}

interface SlantProps {
  side: "left" | "right";
  pair: [string, string] | null;
}

/** An area at the side, in a club's colours once they are known. */
function Slant({ side, pair }: SlantProps) {
  return (
    <svg
      className={`slants slants-${side}`}
      viewBox="0 0 250 630"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className="slant-shade" d="M0 0h210L90 630H0z" fill={pair?.[0]} />
      <path className="slant-stripe" d="M210 0h40L130 630H90z" fill={pair?.[1]} />
    </svg>
  );
}
