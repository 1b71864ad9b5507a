import { useMutation, useQueryClient } from "@tanstack/react-query";
import { invalidateAfter } from "@/api/stale";
import { deleteAddress } from "@/features/shop/api";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

/** Deletes the saved address. */
export function useForgetAddress() {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => deleteAddress(userId),
    onSuccess: async ({ message }) => {
      showToast("success", message);
      await invalidateAfter(queryClient, "address-forgotten", userId);
    },
    onError: showFailure,
  });
}
