import { useParams } from "react-router-dom";
import { Loaded } from "@/components/loaded";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { useAnswer } from "~/api/queries";
import { MemberHead } from "~/areas/members/member-head";
import {
  FundingsPanel,
  OrdersPanel,
  RefundsPanel,
  WalletPanel,
} from "~/areas/members/money-panels";
import { PlanPanel } from "~/areas/members/plan-panel";
import {
  ActionsPanel,
  ChatPanel,
  ClubPanel,
  GamesPanel,
  SessionsPanel,
} from "~/areas/members/status-panels";
import { MemberNotes } from "~/parts/notes";

/** A member: identity, activity, belongings and the history of admin actions. */
export default function MemberPage() {
  const { member = "" } = useParams();
  const asked = useAnswer("GET /api/v1/admin/members/{user_id}", {
    inPath: { user_id: member },
  });
  return (
    <Loaded query={asked} pending={<ScreenSkeleton />}>
      {(found) => (
        <div className="office-columns">
          <div className="screen">
            <MemberHead member={found} />
            <WalletPanel member={found} />
            <PlanPanel member={found} />
            <OrdersPanel member={found} />
            <FundingsPanel member={found} />
            <RefundsPanel member={found} />
          </div>
          <div className="screen">
            <MemberNotes id={found.id} hasLeft={found.erasedAt !== null} />
            <ClubPanel member={found} />
            <SessionsPanel member={found} />
            <GamesPanel member={found} />
            <ChatPanel member={found} />
            <ActionsPanel member={found} />
          </div>
        </div>
      )}
    </Loaded>
  );
}
