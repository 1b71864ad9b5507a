import { useQuery } from "@tanstack/react-query";
import { Trophy } from "lucide-react";
import { useState } from "react";
import { statisticsQuery } from "@/api/member";
import type { LeaderBoardRow } from "@/api/wire";
import { Avatar } from "@/components/avatar";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { ErrorState } from "@/components/error-state";
import { Modal } from "@/components/modal";
import { Panel } from "@/components/panel";
import { Skeleton } from "@/components/skeleton";
import { statisticsError } from "@/features/ranking/api";
import { formatCount } from "@/lib/money";
import { useMember } from "@/lib/session";

const LOADING_ROWS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/** The club's leader board; the member's own row stands out. */
export function LeaderBoard() {
  const { id, clubName } = useMember();
  const statistics = useQuery(statisticsQuery(id));
  const [all, setAll] = useState(false);
  const rows = statistics.data?.leaderboard ?? [];
  const viewAll =
    rows.length > 0 ? (
      <Button look="quiet" onClick={() => setAll(true)}>
        View all
      </Button>
    ) : null;
  return (
    <Panel title="Leader board" className="leader-panel" action={viewAll}>
      {statistics.isPending ? <BoardSkeleton /> : null}
      {statistics.isError ? <ErrorState message={statisticsError(statistics.error)} /> : null}
      {statistics.isSuccess && rows.length === 0 ? (
        <EmptyState icon={Trophy} title="The table is open">
          Nobody of {clubName} has points yet. The first right answer leads it.
        </EmptyState>
      ) : null}
      {rows.length > 0 ? <Board rows={rows} /> : null}
      {all ? (
        <Modal
          header={`Leader board of ${clubName}`}
          classes="board-modal"
          onClose={() => setAll(false)}
          content={
            <>
              <Board rows={rows} />
              <OwnPlace rank={statistics.data?.me.rank} points={statistics.data?.me.points ?? 0} />
            </>
          }
        />
      ) : null}
    </Panel>
  );
}

function Board({ rows }: { rows: LeaderBoardRow[] }) {
  return (
    <table className="board">
      <thead>
        <tr>
          <th scope="col">Rank</th>
          <th scope="col">Name</th>
          <th scope="col">Points</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={row.rank ?? index} className={row.me ? "is-me" : undefined}>
            <td>
              <span className={`board-rank place-${index + 1}`}>{index + 1}</span>
            </td>
            <td>
              <span className="board-name">
                <Avatar name={row.lastname} />
                <span>
                  {row.lastname} {row.firstname}
                  {row.me ? <span className="board-you">You</span> : null}
                </span>
              </span>
            </td>
            <td>{formatCount(row.points)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function OwnPlace({ rank, points }: { rank: number | null | undefined; points: number }) {
  return (
    <p className="notice">
      {rank
        ? `You are number ${formatCount(rank)} with ${formatCount(points)} points.`
        : "You are not on the table yet. A right answer puts you there."}
    </p>
  );
}

function BoardSkeleton() {
  return (
    <div role="status" aria-label="Loading the leader board" className="board-skeleton">
      {LOADING_ROWS.map((row) => (
        <Skeleton key={row} shape="block" />
      ))}
    </div>
  );
}
