import { useMutation, useQueryClient } from "@tanstack/react-query";
import { rememberMember } from "@/api/member";
import { keys } from "@/api/query-keys";
import { invalidateAfter } from "@/api/stale";
import { chooseRenewal } from "@/features/subscriptions/api";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

/** Turns automatic renewal on or off; choices are sent one after the other. */
export function useRenewal() {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (renews: boolean) => chooseRenewal(userId, renews),
    scope: { id: "renewal" },
    onSuccess: async ({ data, message }) => {
      queryClient.setQueryData(keys.plan(userId), data);
      rememberMember(userId, { subscriptionId: data.subscriptionId });
      showToast("success", message);
      await invalidateAfter(queryClient, "renewal-chosen", userId);
    },
    onError: async (error) => {
      showFailure(error);
      await invalidateAfter(queryClient, "renewal-chosen", userId);
    },
  });
}
