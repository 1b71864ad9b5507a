import { CalendarDays } from "lucide-react";
import { Link } from "react-router-dom";
import type { Match, MatchTeam } from "@/api/wire";
import { Crest } from "@/components/crest";
import { EmptyState } from "@/components/empty-state";
import { Skeleton } from "@/components/skeleton";
import { isRunning, playedFor, spoken, stateText } from "@/features/matchday/rules";
import { dayName, dayOf } from "@/lib/format/dates";
import { paths } from "@/lib/format/paths";
import { useServerNow } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";

const LOADING_ROWS = ["1", "2", "3", "4"];
const ANNOUNCE_INTERVAL_MS = 10_000;

/** Matches in order under the headings of their days. */
export function MatchList({ matches, empty }: { matches: Match[]; empty: string }) {
  const nowMs = useServerNow(ANNOUNCE_INTERVAL_MS);
  if (matches.length === 0) {
    return <EmptyState icon={CalendarDays} title={empty} />;
  }
  return byDay(matches).map(([day, ofDay]) => (
    <section key={day} className="match-day" aria-label={nameOf(ofDay, nowMs)}>
      <h2>{nameOf(ofDay, nowMs)}</h2>
      <ul className="card row-list">
        {ofDay.map((match) => (
          <li key={match.id}>
            <MatchRow match={match} nowMs={nowMs} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

interface MatchRowProps {
  match: Match;
  nowMs: number;
}

/** A match in a line; the member's own club stands out. */
function MatchRow({ match, nowMs }: MatchRowProps) {
  const { id, home, away, goals } = match;
  const { clubName } = useMember();
  return (
    <Link className="match-row" to={paths.match(id)} aria-label={spoken(match, nowMs)}>
      <span className={`match-state${isRunning(match) ? " is-running" : ""}`}>
        {stateText(match, nowMs)}
      </span>
      <span className="match-teams">
        <Team team={home} goals={goals?.home} isOwn={home.name === clubName} />
        <Team team={away} goals={goals?.away} isOwn={away.name === clubName} />
      </span>
      <span className="match-of small muted">{playedFor(match)}</span>
    </Link>
  );
}

interface TeamProps {
  team: MatchTeam;
  goals: number | undefined;
  isOwn: boolean;
}

function Team({ team, goals, isOwn }: TeamProps) {
  return (
    <span className={isOwn ? "match-team is-own" : "match-team"}>
      <Crest clubName={team.name} emblem={team.emblem} size={24} />
      <span>{team.name}</span>
      {goals === undefined ? null : <b>{goals}</b>}
    </span>
  );
}

/** Shown until the first answer. */
export function MatchesWaiting() {
  return (
    <div role="status" aria-label="Loading the matches" className="matches-waiting">
      {LOADING_ROWS.map((row) => (
        <Skeleton key={row} shape="block" />
      ))}
    </div>
  );
}

function byDay(matches: Match[]): [string, Match[]][] {
  const days = new Map<string, Match[]>();
  for (const match of matches) {
    const day = dayOf(Date.parse(match.kickOffAt));
    days.set(day, [...(days.get(day) ?? []), match]);
  }
  return [...days];
}

function nameOf([first]: Match[], nowMs: number): string {
  return first === undefined ? "" : dayName(Date.parse(first.kickOffAt), nowMs);
}
