import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { invalidateAfter } from "@/api/stale";
import { createMoment } from "@/features/moments/api";
import type { CompleteDraft } from "@/features/moments/rules";
import { Cancelled, isDecided, messageOf, Refusal } from "@/lib/live/failures";
import { useMember } from "@/lib/session/session";
import { showToast } from "@/lib/ui/toasts";
import { useLeaveGuard } from "@/lib/ui/use-leave-guard";

/** How the last try ended without a decision: the picked files are kept. */
export type Unsent = "cancelled" | "failed";

/**
 * Sends a moment with progress, and can be cancelled.
 *
 * `onSettled` is called once the server has decided. A lost connection or a server error decides
 * nothing: the same moment can be sent again under the same key. It continues when the screen is
 * left.
 */
export function useUpload(onSettled: (posted: boolean) => void) {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  const [share, setShare] = useState(0);
  const [unsent, setUnsent] = useState<Unsent | null>(null);
  const running = useRef<AbortController | null>(null);
  const reload = () => invalidateAfter(queryClient, "moments-changed", userId);

  const mutation = useMutation({
    mutationFn: (moment: CompleteDraft) => {
      running.current = new AbortController();
      setShare(0);
      setUnsent(null);
      const { signal } = running.current;
      return createMoment(userId, moment, { signal, onProgress: setShare });
    },
    onSuccess: () => {
      showToast("success", "Your moment has been uploaded successfully.");
      void reload();
      onSettled(true);
    },
    onError: (error) => {
      showFailure(error);
      if (isDecided(error)) {
        onSettled(false);
        return;
      }
      setUnsent(error instanceof Cancelled ? "cancelled" : "failed");
      if (error instanceof Cancelled) {
        // The last byte may have arrived before the cancel.
        void reload();
      }
    },
  });
  useLeaveGuard(mutation.isPending);

  return {
    share,
    unsent,
    sending: mutation.isPending,
    send: mutation.mutate,
    cancel: () => running.current?.abort(),
  };
}

function showFailure(error: unknown): void {
  if (error instanceof Refusal) {
    showToast("info", `Upload failed: ${error.message}`);
  } else if (!(error instanceof Cancelled)) {
    showToast("error", `Error uploading your moment: ${messageOf(error)}`);
  }
}
