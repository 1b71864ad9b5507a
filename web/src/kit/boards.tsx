import { useState } from "react";
import { BoardPaging, BoardSkeleton, BoardTable } from "@/components/board-table";
import { TabList, tabPanel } from "@/components/tab-list";

const ROWS = [
  { rank: 1, firstname: "Ada", lastname: "Grace", points: 1_204, me: true, avatar: null },
  { rank: 2, firstname: "Bello", lastname: "Musa", points: 980, me: false, avatar: null },
];
const TABS = [
  { value: "full", content: "Full" },
  { value: "pending", content: "Pending" },
] as const;

export function Boards() {
  const [tab, setTab] = useState<"full" | "pending">("full");
  const [page, setPage] = useState(1);
  return (
    <>
      <TabList label="State" name="board" tabs={TABS} value={tab} onChange={setTab} />
      <div {...tabPanel("board", tab)}>
        {tab === "full" ? <BoardTable rows={ROWS} /> : <BoardSkeleton rows={["one", "two"]} />}
      </div>
      <BoardPaging page={page} pages={3} hasNext={page < 3} onPage={setPage} />
    </>
  );
}
