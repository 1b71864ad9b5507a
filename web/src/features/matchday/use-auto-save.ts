import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { invalidateAfter } from "@/api/stale";
import { removePrediction, savePrediction } from "@/features/matchday/api";
import { isSameScore, type Score } from "@/features/matchday/prediction-rules";
import { neverSent } from "@/lib/live/failures";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

/** How long a score stays unchanged before it is saved. */
const SAVE_DELAY_MS = 700;
const NOT_SAVED = "You are offline. Your prediction is not saved.";

/** Whether the shown score is on the server. */
export type SaveState = "none" | "saving" | "saved" | "not-saved";

/**
 * A prediction that is saved shortly after its last change, when the screen is left or hidden, and
 * again once the network is back.
 *
 * `draft` is the score that is not saved yet. A refused score stays and is not sent again until it
 * changes or `retry` is called. Saving and removing are idempotent.
 */
export function useAutoSave(matchId: string, saved: Score | null, isOpen: boolean) {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<Score | null>(null);
  const [refused, setRefused] = useState<Score | null>(null);
  const settled = async (done: Score | null) => {
    await invalidateAfter(queryClient, "predicted", userId);
    // A score that was changed during the request is not saved yet, and stays.
    setDraft((now) => (now !== null && done !== null && !isSameScore(now, done) ? now : null));
  };
  const onError = (error: unknown, score: Score | null) => {
    setRefused(score);
    if (neverSent(error)) {
      showToast("error", NOT_SAVED);
    } else {
      showFailure(error);
      void invalidateAfter(queryClient, "predicted", userId);
    }
  };
  const save = useMutation({
    mutationFn: (score: Score) => savePrediction(matchId, score),
    onSuccess: (_, score) => settled(score),
    onError,
  });
  const forget = useMutation({
    mutationFn: () => removePrediction(matchId),
    onSuccess: () => settled(null),
    onError: (error) => onError(error, null),
  });

  const isBusy = save.isPending || forget.isPending;
  const isKnown = draft === null || isSameScore(draft, saved);
  const isRefused = draft !== null && (!isOpen || isSameScore(draft, refused));
  const isDue = !isKnown && !isRefused && !isBusy;
  const send = useRef(() => {});
  send.current = () => {
    if (isDue && draft !== null) {
      save.mutate(draft);
    }
  };
  useEffect(() => {
    if (isDue && draft !== null) {
      const timer = setTimeout(() => send.current(), SAVE_DELAY_MS);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [isDue, draft]);
  useEffect(() => {
    const leave = () => document.visibilityState === "hidden" && send.current();
    const retry = () => setRefused(null);
    document.addEventListener("visibilitychange", leave);
    window.addEventListener("online", retry);
    return () => {
      document.removeEventListener("visibilitychange", leave);
      window.removeEventListener("online", retry);
      send.current();
    };
  }, []);

  return {
    score: draft ?? saved,
    state: stateOf({ isKnown, isSaved: saved !== null, isRefused }),
    isForgetting: forget.isPending,
    change: (score: Score) => {
      setRefused(null);
      setDraft(score);
    },
    retry: () => setRefused(null),
    forget: () => {
      setDraft(null);
      forget.mutate();
    },
  };
}

function stateOf(found: { isKnown: boolean; isSaved: boolean; isRefused: boolean }): SaveState {
  if (found.isKnown) {
    return found.isSaved ? "saved" : "none";
  }
  return found.isRefused ? "not-saved" : "saving";
}
