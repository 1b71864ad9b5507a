import { useMutation, useQueryClient } from "@tanstack/react-query";
import { keys } from "@/api/query-keys";
import { invalidateAfter } from "@/api/stale";
import type { TriviaAttempt, TriviaOutcome } from "@/api/wire";
import { resultLevel } from "@/components/result-sign";
import { submitAnswers } from "@/features/trivia/api";
import { clearDraft } from "@/features/trivia/draft";
import { playFeedback } from "@/lib/device/feedback";
import { Refusal } from "@/lib/live/failures";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";

interface Outcomes {
  /** The try has ended, with any result, also without a response. */
  onAnswered: () => void;
  /** The submission counted. */
  onFinished: () => void;
  /** Its day is over, and the new day's quest is loaded. */
  onExpired: () => void;
}

/** Submits the answers. */
export function useSubmit(attempt: TriviaAttempt, { onAnswered, onFinished, onExpired }: Outcomes) {
  const member = useMember();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (answers: Record<string, string>) => submitAnswers(member, attempt.day, answers),
    onSettled: onAnswered,
    onSuccess: ({ data }) => {
      celebrate(data);
      clearDraft();
      onFinished();
      queryClient.setQueryData(keys.attempt(member), { ...attempt, ...data });
      queryClient.removeQueries({ queryKey: keys.questions(member) });
      void invalidateAfter(queryClient, "quest-handed-in", member.id);
    },
    onError: async (error) => {
      showFailure(error);
      // Submitted on another phone, or the day is over: refetch the server's state. After a lost
      // response the answers stay: submitting again gets the outcome.
      if (!(error instanceof Refusal)) {
        return;
      }
      if (error.code === "no_daily_quest") {
        clearDraft();
        await queryClient.resetQueries({ queryKey: keys.allQuests });
        onExpired();
      } else {
        await invalidateAfter(queryClient, "quest-refused", member.id);
      }
    },
  });
}

/** All answers right sounds like a new rank, a good result like a right answer. */
function celebrate({ correct, total }: TriviaOutcome): void {
  const level = resultLevel(correct, total);
  if (level !== "low") {
    playFeedback(level === "perfect" ? "promotion" : "right");
  }
}
