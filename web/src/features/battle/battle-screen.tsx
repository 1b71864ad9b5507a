import { useQuery } from "@tanstack/react-query";
import { planQuery } from "@/api/member";
import { ranksQuery } from "@/api/ranks";
import { ErrorState } from "@/components/error-state";
import { Spinner } from "@/components/spinner";
import { configQuery } from "@/features/battle/api";
import { Arena } from "@/features/battle/arena";
import { Landing } from "@/features/battle/landing";
import { Upgrade } from "@/features/battle/upgrade";
import { useBattle } from "@/features/battle/use-battle";
import { unreadMessageOf } from "@/lib/live/unread-message";
import { useMember } from "@/lib/session/session";

/** The Battle Zone: the upgrade prompt, the landing, or the game. */
export default function BattleScreen() {
  const { id } = useMember();
  const plan = useQuery(planQuery(id));
  const config = useQuery(configQuery);
  const ranks = useQuery(ranksQuery);
  const battle = useBattle();
  const { face } = battle.state;
  const failed = [plan, config, ranks].find(({ isError, data }) => isError && data === undefined);

  if (face.kind === "refused" && face.refusal.code === "plan_required") {
    return <Upgrade />;
  }
  if (failed) {
    const retry = () => {
      for (const query of [plan, config, ranks]) {
        void query.refetch();
      }
    };
    return <ErrorState message={unreadMessageOf(failed.error)} onRetry={retry} />;
  }
  if (plan.data === undefined || config.data === undefined || ranks.data === undefined) {
    return <Spinner label="Loading the Battle Zone" />;
  }
  if (face.kind !== "idle") {
    return <Arena battle={battle} config={config.data} ranks={ranks.data} />;
  }
  return plan.data.isBattleZonePlan ? (
    <Landing config={config.data} ranks={ranks.data} onEnter={battle.enter} />
  ) : (
    <Upgrade />
  );
}
