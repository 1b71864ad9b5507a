import "@/features/matchday/next-match.css";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { todayQuery } from "@/api/today";
import type { Match, MatchTeam } from "@/api/wire";
import { Crest } from "@/components/crest";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { useLiveMatches } from "@/features/matchday/live";
import { isRunning, playedFor, spoken, stateText } from "@/features/matchday/rules";
import { NO_FIXTURES_OF_CLUB } from "@/features/matchday/texts";
import { dayName } from "@/lib/format/dates";
import { paths } from "@/lib/format/paths";
import { useServerNow } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";

const ANNOUNCE_INTERVAL_MS = 10_000;
const NONE_WATCHED: string[] = [];

/** The club's next match, or its running ones, kept up to date by the socket. */
export function NextMatch() {
  const today = useQuery(todayQuery(useMember())).data;
  useLiveMatches(NONE_WATCHED);
  const running = today?.live ?? [];
  const shown = running.length > 0 ? running : [today?.nextMatch ?? null];
  return (
    <Panel
      title={running.length > 0 ? "Live now" : "Next match"}
      className="next-match"
      action={
        <Link className="text-link" to={paths.calendar}>
          All matches
        </Link>
      }
    >
      {today === undefined ? (
        <Waiting />
      ) : (
        shown.map((match) => <OneOf key={match?.id ?? "none"} match={match} />)
      )}
    </Panel>
  );
}

function OneOf({ match }: { match: Match | null }) {
  const nowMs = useServerNow(ANNOUNCE_INTERVAL_MS);
  if (match === null) {
    return <p className="next-match-none muted">{NO_FIXTURES_OF_CLUB}</p>;
  }
  const { id, home, away, goals, kickOffAt, prediction } = match;
  return (
    <Link className="next-match-link" to={paths.match(id)} aria-label={spoken(match, nowMs)}>
      <span className="small muted">{playedFor(match)}</span>
      <span className="next-match-teams">
        <Side team={home} />
        <span className={isRunning(match) ? "next-match-state is-running" : "next-match-state"}>
          {goals === null ? null : (
            <b className="numeral">
              {goals.home}–{goals.away}
            </b>
          )}
          <b>{stateText(match, nowMs)}</b>
        </span>
        <Side team={away} />
      </span>
      <span className="small">{dayName(Date.parse(kickOffAt), nowMs)}</span>
      {prediction === null ? null : (
        <span className="small">
          Your prediction: {prediction.home}–{prediction.away}
        </span>
      )}
    </Link>
  );
}

function Side({ team: { name, emblem } }: { team: MatchTeam }) {
  return (
    <span className="next-match-side">
      <Crest clubName={name} emblem={emblem} size={44} />
      {name}
    </span>
  );
}

function Waiting() {
  return (
    <div className="next-match-link" role="status" aria-label="Loading the next match">
      <Skeleton shape="block" />
    </div>
  );
}
