import { useMutation, useQueryClient } from "@tanstack/react-query";
import { invalidateAfter } from "@/api/stale";
import type { Moment } from "@/api/wire";
import { setShared } from "@/features/moments/api";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

/** Shares an own moment with the club, or unshares it. */
export function ShareButton({ moment }: { moment: Moment }) {
  const { id: userId, clubName } = useMember();
  const queryClient = useQueryClient();
  const isShared = Boolean(moment.sharedAt);
  const change = useMutation({
    networkMode: "always",
    mutationFn: () => setShared(moment.id, !isShared),
    onSuccess: () =>
      showToast("success", isShared ? "Now only you can see it." : `Shared with ${clubName}.`),
    onError: showFailure,
    // It may have been removed or hidden meanwhile.
    onSettled: () => invalidateAfter(queryClient, "moment-shared", userId),
  });
  const says = isShared ? "Stop sharing" : "Share with my club";
  return (
    <button
      type="button"
      className="text-link moment-share"
      aria-label={`${says}: ${moment.title}`}
      aria-disabled={change.isPending}
      onClick={() => (change.isPending ? undefined : change.mutate())}
    >
      {change.isPending ? "One moment …" : says}
    </button>
  );
}
