import { useQuery } from "@tanstack/react-query";
import type { Match } from "@/api/wire";
import { ErrorState } from "@/components/error-state";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { leagueTableQuery, resultsOfQuery } from "@/features/matchday/api";
import { Ground } from "@/features/matchday/ground";
import { LeagueRows } from "@/features/matchday/league-table";
import { MatchForm } from "@/features/matchday/match-form";
import { unreadMessageOf } from "@/lib/live/unread-message";
import { useMember } from "@/lib/session/session";

/** The table, the form of both sides and the ground: shown together, so that none moves another. */
export function useMatchAround(match: Match, nowMs: number) {
  const { id: userId } = useMember();
  const { home, away, competition } = match;
  const table = useQuery({
    ...leagueTableQuery(userId, competition.id),
    enabled: competition.table,
  });
  const homeResults = useQuery(resultsOfQuery(userId, home.clubId ?? ""));
  const awayResults = useQuery(resultsOfQuery(userId, away.clubId ?? ""));
  if (table.isLoading || homeResults.isLoading || awayResults.isLoading) {
    return { table: <Waiting />, beside: <Waiting /> };
  }
  const failed = [table, homeResults, awayResults].filter((query) => query.isLoadingError);
  const error = failed[0]?.error;
  if (error) {
    const retry = () => {
      for (const query of failed) {
        void query.refetch();
      }
    };
    return { table: null, beside: <ErrorState message={unreadMessageOf(error)} onRetry={retry} /> };
  }
  const rows = table.data ?? [];
  const sides = [
    { team: home, results: homeResults.data },
    { team: away, results: awayResults.data },
  ].flatMap(({ team, results }) =>
    results === undefined
      ? []
      : [{ team, results: results.filter(({ id, goals }) => id !== match.id && goals !== null) }],
  );
  return {
    table:
      rows.length === 0 ? null : (
        <Panel title={`${competition.name} table`} className="league-panel">
          <LeagueRows
            rows={rows}
            isMarked={({ team }) => team.teamId === home.teamId || team.teamId === away.teamId}
          />
        </Panel>
      ),
    beside: (
      <>
        {sides.length === 0 ? null : <MatchForm sides={sides} nowMs={nowMs} />}
        {home.clubId === null ? null : <Ground clubId={home.clubId} />}
      </>
    ),
  };
}

function Waiting() {
  return (
    <div className="match-waiting" role="status" aria-label="Loading the table and form">
      <Skeleton shape="block" />
    </div>
  );
}
