import { DiscardQuestion } from "@/components/discard-question";
import { useLeaveGuard } from "@/lib/ui/use-leave-guard";

/** Asks before unsaved changes are discarded. */
export function LeaveQuestion({ active }: { active: boolean }) {
  const guard = useLeaveGuard(active, { inside: true });
  return guard.asking ? <DiscardQuestion onDiscard={guard.leave} onStay={guard.stay} /> : null;
}
