import "@/app/screens/dashboard-screen.css";
import { Celebrations } from "@/features/home/celebrations";
import { Greeting } from "@/features/home/greeting";
import { InstallCard } from "@/features/home/install-card";
import { Today } from "@/features/home/today";
import { TopNews } from "@/features/home/top-news";
import { TourCard } from "@/features/home/tour-card";
import { NextMatch } from "@/features/matchday/next-match";
import { ClubRankingCard } from "@/features/ranking/club-ranking-card";
import { LeaderBoard } from "@/features/ranking/leader-board";
import { MemberCard } from "@/features/ranking/member-card";
import { WalletCard } from "@/features/wallet/wallet-card";

export default function DashboardScreen() {
  return (
    <div className="dashboard">
      <div className="dashboard-first">
        <Greeting />
        <Today />
        <MemberCard />
      </div>
      <NextMatch />
      <TourCard />
      <WalletCard />
      <ClubRankingCard />
      <LeaderBoard />
      <TopNews />
      <InstallCard />
      <Celebrations />
    </div>
  );
}
