import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "@/api/calls";
import { get, post } from "@/api/client";
import { keys, type Player } from "@/api/query-keys";
import type { TriviaOutcome } from "@/api/wire";
import { setServerClock } from "@/lib/live/server-clock";
import { isUndecided, once } from "@/lib/session/idempotency-keys";

const SHOW_REFUSALS = { errorToast: true };

/**
 * Today's questions; none after the attempt, and none if the club has no quest.
 *
 * An opened set does not change, also past midnight: it can be submitted a little later.
 */
export function questionsQuery(player: Player) {
  return queryOptions({
    queryKey: keys.questions(player),
    queryFn: async ({ signal }) => {
      const inPath = { club: player.club, user_id: player.id };
      const path = "/api/v1/question/daily-trivial-question/{club}/{user_id}";
      return (await get(path, { inPath, signal })).data;
    },
    staleTime: Number.POSITIVE_INFINITY,
    meta: SHOW_REFUSALS,
  });
}

/** Today's attempt with its review, the streak, and when the next quest opens. */
export function attemptQuery(player: Player) {
  return queryOptions({
    queryKey: keys.attempt(player),
    queryFn: async ({ signal }) => {
      const inPath = { club: player.club, user_id: player.id };
      const path = "/api/v1/question/attempted-daily-trivial-question/{club}/{user_id}";
      const { data } = await get(path, { inPath, signal });
      setServerClock(data.serverNow);
      return data;
    },
  });
}

/** Submit the day's answers; a repeat after a lost response counts once. */
export async function submitAnswers(
  player: Player,
  day: string,
  answers: Record<string, string>,
): Promise<Answer<TriviaOutcome>> {
  const pairs = Object.entries(answers).map(([question, answer]) => ({ question, answer }));
  const body = { userId: player.id, clubId: player.club, choices: JSON.stringify(pairs) };
  return once(purposeOf(player, day), body, (idempotencyKey) =>
    post("/api/v1/question/submit-trivia-question", body, { idempotencyKey }),
  );
}

/** Whether the day's answers were sent and the response is still missing. */
export function isSubmissionUndecided(player: Player, day: string): boolean {
  return isUndecided(purposeOf(player, day));
}

function purposeOf(player: Player, day: string): string {
  return `trivia:${player.id}:${day}`;
}
