import "@/styles/board.css";
import { useQuery } from "@tanstack/react-query";
import { Trophy } from "lucide-react";
import { useState } from "react";
import type { BoardScope, PredictionBoardRow, PredictionPeriod } from "@/api/wire";
import { type BoardLine, BoardPaging, BoardSkeleton, BoardTable } from "@/components/board-table";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Segments } from "@/components/segments";
import { PAGE_OF_BOARD, predictionBoardQuery } from "@/features/matchday/api";
import { counted } from "@/lib/format/counts";
import { useMember } from "@/lib/session/session";

const LOADING_ROWS = Array.from({ length: 8 }, (_, index) => String(index));

const PERIODS: { value: PredictionPeriod; text: string }[] = [
  { value: "round", text: "Last round" },
  { value: "month", text: "Month" },
  { value: "season", text: "Season" },
];

/** The board of predictors: of the club or of all, in the last round, the month or the season. */
export function PredictionBoard() {
  const { id, clubName } = useMember();
  const [scope, setScope] = useState<BoardScope>("club");
  const [period, setPeriod] = useState<PredictionPeriod>("round");
  const [page, setPage] = useState(1);
  const board = useQuery(predictionBoardQuery(id, { scope, period, page }));
  const scopes: { value: BoardScope; text: string }[] = [
    { value: "club", text: clubName },
    { value: "all", text: "All clubs" },
  ];
  const isFirst = page === 1;
  const choose = (change: () => void) => {
    change();
    setPage(1);
  };
  return (
    <div className="board-page">
      <div className="board-tools">
        <Segments
          label="Whose board"
          options={scopes}
          value={scope}
          onChange={(chosen) => choose(() => setScope(chosen))}
        />
        <Segments
          label="Which time"
          options={PERIODS}
          value={period}
          onChange={(chosen) => choose(() => setPeriod(chosen))}
        />
      </div>
      <Panel title="Best predictors" className={board.isPlaceholderData ? "is-stale" : ""}>
        <Loaded query={board} pending={<BoardSkeleton rows={LOADING_ROWS} />}>
          {({ rows, me }) =>
            rows.length === 0 && isFirst ? (
              <EmptyState icon={Trophy} title="The board is open">
                No points yet. The first right prediction takes the lead.
              </EmptyState>
            ) : (
              <>
                <BoardTable
                  rows={rows.map(lineOf)}
                  pinned={me === null || rows.some((row) => row.me) ? null : lineOf(me)}
                />
                <BoardPaging page={page} hasNext={rows.length === PAGE_OF_BOARD} onPage={setPage} />
              </>
            )
          }
        </Loaded>
      </Panel>
    </div>
  );
}

function lineOf({ exact, results, ...line }: PredictionBoardRow): BoardLine {
  return { ...line, below: `${exact} exact, ${counted(results, "right result")}` };
}
