import "@/styles/board.css";
import { useQuery } from "@tanstack/react-query";
import { Trophy } from "lucide-react";
import { Link } from "react-router-dom";
import { statisticsQuery } from "@/api/member";
import type { Statistics } from "@/api/wire";
import { type BoardLine, BoardSkeleton, BoardTable } from "@/components/board-table";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { statisticsError } from "@/features/ranking/api";
import { paths } from "@/lib/format/paths";
import { type SessionUser, useMember } from "@/lib/session/session";

const LOADING_ROWS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

/** The club's leader board; the member's own row stands out, below the others if necessary. */
export function LeaderBoard() {
  const member = useMember();
  const statistics = useQuery(statisticsQuery(member.id));
  const rows = statistics.data?.leaderboard ?? [];
  const viewAll =
    rows.length > 0 ? (
      <Link className="text-link" to={paths.leaderBoard}>
        View all
      </Link>
    ) : null;
  return (
    <Panel title="Leader board" className="leader-panel" action={viewAll}>
      <Loaded
        query={statistics}
        pending={<BoardSkeleton rows={LOADING_ROWS} />}
        sentence={statisticsError}
      >
        {({ me }) => (
          <>
            <OffBoards me={me} />
            {rows.length === 0 ? (
              <EmptyState icon={Trophy} title="The table is open">
                Nobody of {member.clubName} has points yet. The first right answer takes the lead.
              </EmptyState>
            ) : (
              <BoardTable rows={rows} pinned={ownRow(member, me, rows)} />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Explains to a member who is an operator why boards do not list them. */
export function OffBoards({ me }: { me: Statistics["me"] | undefined }) {
  return me?.offBoards ? (
    <div className="notice">
      <p>You help to run King of Fans, so you are not listed: only fans compete here.</p>
    </div>
  ) : null;
}

/** The member's own row if `rows` do not include it; else, or without points, null. */
export function ownRow(
  { firstName, lastName, avatar = null }: SessionUser,
  me: Statistics["me"] | undefined,
  rows: { me: boolean }[],
): BoardLine | null {
  return me === undefined || me.rank === null || rows.some((row) => row.me)
    ? null
    : {
        rank: me.rank,
        firstname: firstName,
        lastname: lastName,
        points: me.points,
        me: true,
        avatar,
      };
}
