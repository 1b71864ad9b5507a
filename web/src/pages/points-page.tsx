import { PointsHistory } from "@/features/ranking/points-history";

export default function PointsPage() {
  return <PointsHistory />;
}
