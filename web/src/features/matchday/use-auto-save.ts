import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import type { Match } from "@/api/wire";
import { isSameScore } from "@/features/matchday/prediction-rules";
import { predictionSaver, type Stored, type Unsaved } from "@/features/matchday/prediction-saver";
import { useMember } from "@/lib/session/session";

/** Whether the shown score is on the server. */
export type SaveState = "none" | "saving" | "saved" | "not-saved";

/**
 * A prediction that is saved shortly after its last change, when the screen is left or hidden, and
 * again once the network is back; see `PredictionSaver`.
 */
export function useAutoSave(match: Match, saved: Stored | null, isOpen: boolean) {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  const saver = predictionSaver(userId, match.id);
  const unsaved = useSyncExternalStore(saver.subscribe, saver.read);
  const name = `${match.home.name} v ${match.away.name}`;
  useEffect(() => saver.show(queryClient, name, saved));
  useEffect(() => saver.leave, [saver]);
  return {
    score: unsaved.draft ?? saved,
    state: stateOf(unsaved, saved, isOpen),
    isForgetting: unsaved.isRemoving,
    change: (score: { home: number; away: number }) => saver.change(score),
    retry: () => saver.retry(),
    forget: () => saver.remove(),
  };
}

function stateOf(unsaved: Unsaved, saved: Stored | null, isOpen: boolean): SaveState {
  const { draft, refused, isSaving } = unsaved;
  if (draft === null || (!isSaving && isSameScore(draft, saved))) {
    return saved === null ? "none" : "saved";
  }
  return !isOpen || isSameScore(draft, refused) ? "not-saved" : "saving";
}
