import { useMutation, useQueryClient } from "@tanstack/react-query";
import { memberKeys } from "@/api/member";
import type { TriviaAttempt } from "@/api/wire";
import { attemptQuery, submitAnswers, triviaKeys } from "@/features/trivia/api";
import { forgetDraft } from "@/features/trivia/draft";
import { Refusal } from "@/lib/failures";
import { useMember } from "@/lib/session";
import { tellFailure } from "@/lib/tell-failure";

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
      queryClient.setQueryData(attemptQuery(member).queryKey, { ...attempt, ...data });
      queryClient.removeQueries({ queryKey: triviaKeys.questions(member) });
      for (const queryKey of [memberKeys.dashboard(member.id), ["leaderboard"], ["points"]]) {
        void queryClient.invalidateQueries({ queryKey });
      }
    },
    onError: async (error) => {
      tellFailure(error);
      // Handed in on another phone, or the day is over: the server knows what shows now.
      // After a lost answer the sheet stays: handed in again, it tells what became of it.
      if (!(error instanceof Refusal)) {
        return;
      }
      if (error.code === "no_daily_quest") {
        forgetDraft();
        await queryClient.resetQueries({ queryKey: ["trivia"] });
        onExpired();
      } else {
        await queryClient.invalidateQueries({ queryKey: triviaKeys.attempt(member) });
      }
    },
  });
}
