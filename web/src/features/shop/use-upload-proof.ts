import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { invalidateAfter } from "@/api/stale";
import { uploadProof } from "@/features/shop/api";
import { Refusal } from "@/lib/live/failures";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";
import { useLeaveGuard } from "@/lib/ui/use-leave-guard";

/** Sends a proof of payment, with progress. */
export function useUploadProof(orderId: string) {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  const [share, setShare] = useState(0);
  const mutation = useMutation({
    mutationFn: (file: File) => {
      setShare(0);
      return uploadProof(orderId, file, setShare);
    },
    onSuccess: async ({ message }) => {
      showToast("success", message);
      await invalidateAfter(queryClient, "proof-uploaded", userId);
    },
    onError: async (error) => {
      showFailure(error);
      if (error instanceof Refusal) {
        await invalidateAfter(queryClient, "proof-uploaded", userId);
      }
    },
  });
  useLeaveGuard(mutation.isPending);
  return { share, sending: mutation.isPending, send: mutation.mutate };
}
