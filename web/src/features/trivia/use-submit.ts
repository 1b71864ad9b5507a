import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "@/api/query-keys";
import { markStale } from "@/api/stale";
import type { TriviaAttempt } from "@/api/wire";
import { submitAnswers } from "@/features/trivia/api";
import { forgetDraft } from "@/features/trivia/draft";
import { Refusal } from "@/lib/failures";
import { useMember } from "@/lib/session";
import { showFailure } from "@/lib/tell-failure";

interface Outcomes {
  /** The try is over, whichever way it went: also without an answer. */
  onAnswered: () => void;
  /** The sheet counted. */
  onFinished: () => void;
  /** Its day is over, and the new day's quest is loaded. */
  onExpired: () => void;
}

/** Hands the sheet in. */
export function useSubmit(attempt: TriviaAttempt, { onAnswered, onFinished, onExpired }: Outcomes) {
  const member = useMember();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (answers: Record<string, string>) => submitAnswers(member, attempt.day, answers),
    onSettled: onAnswered,
    onSuccess: ({ data }) => {
      forgetDraft();
      onFinished();
      queryClient.setQueryData(keys.attempt(member), { ...attempt, ...data });
      queryClient.removeQueries({ queryKey: keys.questions(member) });
      void markStale(queryClient, "quest-handed-in", member.id);
    },
    onError: async (error) => {
      showFailure(error);
      // Handed in on another phone, or the day is over: the server knows what shows now.
      // After a lost answer the sheet stays: handed in again, it tells what became of it.
      if (!(error instanceof Refusal)) {
        return;
      }
      if (error.code === "no_daily_quest") {
        forgetDraft();
        await queryClient.resetQueries({ queryKey: keys.allQuests });
        onExpired();
      } else {
        await markStale(queryClient, "quest-refused", member.id);
      }
    },
  });
}
