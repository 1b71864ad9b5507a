import { Refusal } from "@/lib/live/failures";

/** The work may have become harder while a challenge was being solved, so there may be a second. */
const MAX_CHALLENGES = 3;
const NOT_CHECKED = "We could not check your connection. Please try again.";

/** Makes a call, with the solution of a challenge if there is one. */
export type Attempt<Result> = (solution?: string) => Promise<Result>;

/**
 * Make a call that a busy network pays for with a little work.
 *
 * If the server requires it, the challenge is solved and the call sent again. `onCheck` is called
 * with true before that and with false after it; on other networks it is not called.
 */
export async function withChallenge<Result>(
  attempt: Attempt<Result>,
  onCheck: (isChecking: boolean) => void,
): Promise<Result> {
  let solution: string | undefined;
  for (let challenges = 0; ; challenges += 1) {
    try {
      return await attempt(solution);
    } catch (error) {
      if (!isChallenge(error) || challenges === MAX_CHALLENGES) {
        throw error;
      }
      onCheck(true);
      try {
        solution = await solutionOf(error);
      } finally {
        onCheck(false);
      }
    }
  }
}

function isChallenge(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code === "challenge_required";
}

async function solutionOf(refusal: Refusal): Promise<string> {
  try {
    const { challengeIn, solve } = await import("@/lib/live/challenge");
    const challenge = challengeIn(refusal.data);
    if (challenge !== null) {
      return await solve(challenge);
    }
  } catch {
    // An old browser, or the script did not load: the member can try again.
  }
  throw new Refusal(NOT_CHECKED, { status: refusal.status, code: "challenge_failed" });
}
