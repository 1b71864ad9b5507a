import { useMutation, useQueryClient } from "@tanstack/react-query";
import { memberKeys } from "@/api/member";
import type { TriviaAttempt } from "@/api/wire";
import { attemptQuery, submitAnswers, triviaKeys } from "@/features/trivia/api";
import { forgetDraft } from "@/features/trivia/draft";
import { messageOf } from "@/lib/api-error";
import { useMember } from "@/lib/session";
import { showToast } from "@/lib/toasts";

/** Hands the sheet in; `onAnswered` runs whichever way it went, `onFinished` when it counted. */
export function useSubmit(attempt: TriviaAttempt, onAnswered: () => void, onFinished: () => void) {
  const member = useMember();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (answers: Record<string, string>) => submitAnswers(member, attempt.day, answers),
    onSettled: onAnswered,
    onSuccess: ({ data }) => {
      forgetDraft();
      onFinished();
      queryClient.setQueryData(attemptQuery(member).queryKey, { ...attempt, ...data });
      for (const queryKey of [memberKeys.dashboard(member.id), ["leaderboard"], ["points"]]) {
        void queryClient.invalidateQueries({ queryKey });
      }
    },
    onError: async (error) => {
      showToast("error", messageOf(error));
      // Handed in on another phone, or the day is over: the server knows what shows now.
      await queryClient.invalidateQueries({ queryKey: triviaKeys.attempt(member) });
    },
  });
}
