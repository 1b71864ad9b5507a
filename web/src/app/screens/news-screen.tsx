import { News } from "@/features/news/news";
import { LeaderBoard } from "@/features/ranking/leader-board";

export default function NewsScreen() {
  return <News leaderBoard={<LeaderBoard />} />;
}
