import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Bell, BellRing } from "lucide-react";
import { keys } from "@/api/query-keys";
import { usePushDialog } from "@/api/use-push-dialog";
import type { Match } from "@/api/wire";
import { Button } from "@/components/button";
import { PushDialog } from "@/components/push-dialog";
import { reminderQuery, setReminder } from "@/features/matchday/api";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

/** Sets a reminder of an upcoming match; the first one offers push notifications. */
export function RemindMe({ match: { id: matchId } }: { match: Match }) {
  const { id } = useMember();
  const queryClient = useQueryClient();
  const { data: isOn = false } = useQuery(reminderQuery(id, matchId));
  const push = usePushDialog();
  const set = useMutation({
    mutationFn: () => setReminder(matchId, !isOn),
    onSuccess: (remind) => {
      queryClient.setQueryData(keys.reminder(id, matchId), remind);
      if (remind) {
        showToast("success", "We will remind you an hour before kick-off.");
        push.offer();
      }
    },
    onError: showFailure,
  });
  return (
    <>
      <Button
        variant={isOn ? "primary" : "secondary"}
        icon={isOn ? <BellRing aria-hidden="true" /> : <Bell aria-hidden="true" />}
        aria-pressed={isOn}
        busy={set.isPending}
        onClick={() => set.mutate()}
      >
        Remind me
      </Button>
      {push.dialog === null ? null : <PushDialog {...push.dialog} />}
    </>
  );
}
