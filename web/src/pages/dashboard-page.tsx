import "@/pages/dashboard-page.css";
import { BattleCard } from "@/features/battle/battle-card";
import { Greeting } from "@/features/home/greeting";
import { InstallCard } from "@/features/home/install-card";
import { TopNews } from "@/features/home/top-news";
import { ClubRankingCard } from "@/features/ranking/club-ranking-card";
import { LeaderBoard } from "@/features/ranking/leader-board";
import { MemberCard } from "@/features/ranking/member-card";
import { TriviaCard } from "@/features/trivia/trivia-card";
import { WalletCard } from "@/features/wallet/wallet-card";

export default function DashboardPage() {
  return (
    <div className="dashboard">
      <Greeting />
      <MemberCard />
      <WalletCard />
      <ClubRankingCard />
      <BattleCard />
      <TriviaCard />
      <LeaderBoard />
      <TopNews />
      <InstallCard />
    </div>
  );
}
