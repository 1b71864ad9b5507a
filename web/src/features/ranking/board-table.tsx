import "@/styles/board.css";
import type { ReactNode } from "react";
import { Avatar } from "@/components/avatar";
import { formatCount } from "@/lib/counts";
import { displayName } from "@/lib/names";

export interface BoardLine {
  rank: number;
  firstname: string;
  lastname: string;
  points: number;
  me: boolean;
  avatar: string | null;
  /** The club, on boards of several clubs. */
  club?: ReactNode;
}

interface BoardTableProps {
  rows: BoardLine[];
  /** The member's own row, kept in sight when it is not among the others. */
  pinned?: BoardLine | null;
}

/** Rank, name and points; ties share a rank, and the member's own row stands out. */
export function BoardTable({ rows, pinned = null }: BoardTableProps) {
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
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and two may be alike
          <BoardRowLine key={index} row={row} />
        ))}
      </tbody>
      {pinned ? (
        <tfoot>
          <BoardRowLine row={pinned} />
        </tfoot>
      ) : null}
    </table>
  );
}

function BoardRowLine({ row }: { row: BoardLine }) {
  return (
    <tr className={row.me ? "is-me" : undefined}>
      <td>
        <span className={`board-rank place-${row.rank}`}>{formatCount(row.rank)}</span>
      </td>
      <td>
        <span className="board-name">
          <Avatar lastName={row.lastname} src={row.avatar} />
          <span>
            {displayName(row.lastname, row.firstname)}
            {row.me ? <span className="board-you">You</span> : null}
            {row.club ? <span className="board-club">{row.club}</span> : null}
          </span>
        </span>
      </td>
      <td>{formatCount(row.points)}</td>
    </tr>
  );
}
