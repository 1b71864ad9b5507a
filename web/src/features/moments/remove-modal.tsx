import { useMutation, useQueryClient } from "@tanstack/react-query";
import { invalidateAfter } from "@/api/stale";
import type { Moment } from "@/api/wire";
import { Modal } from "@/components/modal";
import { removeMoment } from "@/features/moments/api";
import { FETCHED, showFetchFailure } from "@/features/moments/fetch-toasts";
import { useMember } from "@/lib/session/session";
import { showToast } from "@/lib/ui/toasts";

interface RemoveModalProps {
  moment: Moment;
  onClose: () => void;
}

/** Asks before a moment and its files are deleted; then the list is refetched. */
export function RemoveModal({ moment, onClose }: RemoveModalProps) {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  const reload = () => invalidateAfter(queryClient, "moments-changed", userId);
  const removal = useMutation({
    // Offline it fails at once, instead of holding the dialog open.
    networkMode: "always",
    mutationFn: () => removeMoment(moment.id),
    onSuccess: async () => {
      await reload();
      // The catalogue of errors has removals use the text of fetching (spec 8, contract B-41).
      showToast("success", FETCHED);
    },
    onError: (error) => {
      showFetchFailure(error);
      void reload();
    },
    onSettled: onClose,
  });
  return (
    <Modal
      header="Remove this post?"
      submitText="Remove"
      submitting={removal.isPending}
      locked={removal.isPending}
      onClose={onClose}
      onSubmit={() => removal.mutate()}
      content={<p>“{moment.title}” and its video will be deleted. This cannot be undone.</p>}
    />
  );
}
