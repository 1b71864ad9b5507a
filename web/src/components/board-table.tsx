import "@/styles/board.css";
import type { ReactNode } from "react";
import { Avatar } from "@/components/avatar";
import { Button } from "@/components/button";
import { Skeleton } from "@/components/skeleton";
import { formatCount } from "@/lib/format/counts";
import { displayName } from "@/lib/format/names";

export interface BoardLine {
  rank: number;
  firstname: string;
  lastname: string;
  points: number;
  me: boolean;
  avatar: string | null;
  /** Small print below the name, such as the club on boards of several clubs. */
  below?: ReactNode;
}

interface BoardTableProps {
  rows: BoardLine[];
  /** The member's own row, shown separately if it is not among the others. */
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
            {row.below ? <span className="board-below">{row.below}</span> : null}
          </span>
        </span>
      </td>
      <td>{formatCount(row.points)}</td>
    </tr>
  );
}

/** A board that is still loading. */
export function BoardSkeleton({ rows }: { rows: string[] }) {
  return (
    <div role="status" aria-label="Loading the leader board" className="board-skeleton">
      {rows.map((row) => (
        <Skeleton key={row} shape="block" />
      ))}
    </div>
  );
}

interface BoardPagingProps {
  page: number;
  /** The total number, if known. */
  pages?: number;
  hasNext: boolean;
  onPage: (page: number) => void;
}

/** The page links of a board; nothing if it has a single page. */
export function BoardPaging({ page, pages, hasNext, onPage }: BoardPagingProps) {
  if (page === 1 && !hasNext) {
    return null;
  }
  return (
    <nav className="paging" aria-label="Pages of the leader board">
      <Button variant="secondary" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        Previous
      </Button>
      <span>
        Page {formatCount(page)}
        {pages === undefined ? "" : ` of ${formatCount(pages)}`}
      </span>
      <Button variant="secondary" disabled={!hasNext} onClick={() => onPage(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
