import "@/styles/board.css";
import { useQuery } from "@tanstack/react-query";
import { Trophy } from "lucide-react";
import { useSearchParams } from "react-router-dom";
import type { BoardPage, BoardPeriod, BoardRow, BoardScope } from "@/api/wire";
import { type BoardLine, BoardPaging, BoardSkeleton, BoardTable } from "@/components/board-table";
import { Crest } from "@/components/crest";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Segments } from "@/components/segments";
import { type BoardChoice, boardQuery } from "@/features/ranking/api";
import { OffBoards, ownRow } from "@/features/ranking/leader-board";
import { counted } from "@/lib/format/counts";
import { dayOf, formatDate } from "@/lib/format/dates";
import { useMember } from "@/lib/session/session";

const LOADING_ROWS = Array.from({ length: 12 }, (_, index) => String(index));

const PERIODS: { value: BoardPeriod; text: string }[] = [
  { value: "day", text: "Today" },
  { value: "week", text: "Week" },
  { value: "month", text: "Month" },
  { value: "season", text: "Season" },
];

/** The whole leader board: by club or for all, by day, week, month or season, 50 a page. */
export default function LeaderBoardScreen() {
  const member = useMember();
  const [choice, choose] = useChoice();
  const board = useQuery(boardQuery(member.id, choice));
  const scopes: { value: BoardScope; text: string }[] = [
    { value: "club", text: member.clubName },
    { value: "all", text: "All clubs" },
  ];
  return (
    <div className="board-page">
      <div className="board-tools">
        <Segments
          label="Whose board"
          options={scopes}
          value={choice.scope}
          onChange={(scope) => choose({ ...choice, scope, page: 1 })}
        />
        <Segments
          label="Which time"
          options={PERIODS}
          value={choice.period}
          onChange={(period) => choose({ ...choice, period, page: 1 })}
        />
      </div>
      <Panel title="Leader board" className={board.isPlaceholderData ? "is-stale" : ""}>
        <Loaded query={board} pending={<BoardSkeleton rows={LOADING_ROWS} />}>
          {(page) => (
            <>
              <OffBoards me={page.me} />
              <Page board={page} onPage={(number) => choose({ ...choice, page: number })} />
            </>
          )}
        </Loaded>
      </Panel>
    </div>
  );
}

function Page({ board, onPage }: { board: BoardPage; onPage: (page: number) => void }) {
  const member = useMember();
  const { page, pageSize, total } = board;
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (total === 0) {
    return (
      <EmptyState icon={Trophy} title="The table is open">
        No points yet. The first right answer takes the lead.
      </EmptyState>
    );
  }
  return (
    <>
      <p className="small muted">{spanOf(board)}</p>
      <BoardTable
        rows={board.rows.map((row) => lineOf(row, board.scope))}
        pinned={ownRow(member, board.me, board.rows)}
      />
      <BoardPaging page={page} pages={pages} hasNext={page < pages} onPage={onPage} />
    </>
  );
}

/** The number of members on the board, and the period of its points. */
function spanOf({ total, startsAt, endsAt }: BoardPage): string {
  const members = counted(total, "member");
  return startsAt && endsAt ? `${members} · ${dateOf(startsAt)} – ${dateOf(endsAt)}` : members;
}

/** The day of a moment in Lagos, as `7 Nov 2026`. */
const dateOf = (iso: string) => formatDate(dayOf(Date.parse(iso)));

function lineOf(row: BoardRow, scope: BoardScope): BoardLine {
  const { name, emblem, ...line } = row;
  return scope === "club"
    ? line
    : {
        ...line,
        below: (
          <>
            <Crest clubName={name} emblem={emblem} size={18} />
            {name}
          </>
        ),
      };
}

/** The choice lives in the URL, so that it survives a reload and can be shared. */
function useChoice(): [BoardChoice, (choice: BoardChoice) => void] {
  const [search, setSearch] = useSearchParams();
  const choice: BoardChoice = {
    scope: search.get("scope") === "all" ? "all" : "club",
    period: PERIODS.find(({ value }) => value === search.get("period"))?.value ?? "season",
    page: Math.max(1, Number.parseInt(search.get("page") ?? "1", 10) || 1),
  };
  const choose = ({ scope, period, page }: BoardChoice) =>
    setSearch({ scope, period, page: String(page) }, { replace: true });
  return [choice, choose];
}
