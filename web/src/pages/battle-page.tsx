import { BattleZone } from "@/features/battle/battle-zone";

export default function BattlePage() {
  return <BattleZone />;
}
