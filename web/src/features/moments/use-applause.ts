import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { keys } from "@/api/query-keys";
import { invalidateAfter } from "@/api/stale";
import type { Applause, SharedMoment } from "@/api/wire";
import { setApplauded } from "@/features/moments/api";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";

/**
 * Sets or removes applause: shown at once, and the calls are sent one after the other.
 *
 * After the last call the server's latest answer is shown, or the state before the first.
 */
export function useApplause(moment: SharedMoment): (applauded: boolean) => void {
  const { id, club } = useMember();
  const queryClient = useQueryClient();
  const queryKey = keys.sharedMoments({ id, club });
  const name = `applause-${moment.id}`;
  const decided = useRef<Applause>(moment);
  const underWay = () => queryClient.isMutating({ mutationKey: [name] });
  const show = ({ applause, applauded }: Applause) =>
    queryClient.setQueryData<SharedMoment[]>(queryKey, (feed) =>
      feed?.map((one) => (one.id === moment.id ? { ...one, applause, applauded } : one)),
    );
  const change = useMutation({
    mutationKey: [name],
    scope: { id: name },
    // Offline it fails at once, and the count is corrected.
    networkMode: "always",
    mutationFn: (applauded: boolean) => setApplauded(moment.id, applauded),
    onMutate: async (applauded) => {
      if (underWay() === 1) {
        decided.current = moment;
      }
      // An older response in flight must not overwrite it.
      await queryClient.cancelQueries({ queryKey });
      const step = Number(applauded) - Number(moment.applauded);
      show({ applause: moment.applause + step, applauded });
    },
    onSuccess: (answer) => {
      decided.current = answer;
    },
    onError: (error) => {
      showFailure(error);
      void invalidateAfter(queryClient, "moments-changed", id);
    },
    onSettled: () => {
      if (underWay() === 1) {
        show(decided.current);
      }
    },
  });
  return change.mutate;
}
