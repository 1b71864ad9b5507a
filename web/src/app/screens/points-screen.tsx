import { InvitePanel } from "@/features/invites/invite-panel";
import { PointsHistory } from "@/features/ranking/points-history";

export default function PointsScreen() {
  return <PointsHistory invite={<InvitePanel />} />;
}
