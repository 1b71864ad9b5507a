import { FullBoard } from "@/features/ranking/full-board";

export default function LeaderBoardPage() {
  return <FullBoard />;
}
