/** The key of the answer in the browser's storage; the sign-up reads its claim from there. */
export const KEPT_ANSWER = "visitor-answer";

const ANSWER_TIMEOUT_MS = 15_000;

/** A visitor's answer and its result; `claim` proves a right one until `claimUntil`. */
export interface Answer {
  question: string;
  chosen: string;
  rightAnswer: string;
  explanation: string;
  claim: string | null;
  claimUntil: string | null;
}

/** The answer given in this browser, or null. */
export function readKept(): Answer | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_ANSWER) ?? "null");
    return isAnswer(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isAnswer(kept: unknown): kept is Answer {
  if (typeof kept !== "object" || kept === null) {
    return false;
  }
  const { question, chosen, rightAnswer, explanation } = kept as Partial<Answer>;
  return [question, chosen, rightAnswer, explanation].every((part) => typeof part === "string");
}

/** Send an answer and keep its result; null if the server did not respond. */
export async function answerQuestion(question: string, chosen: string): Promise<Answer | null> {
  try {
    const response = await fetch(`/api/v1/public/question/${question}/answer`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ answer: chosen }),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    if (!response.ok) {
      return null;
    }
    const { data } = (await response.json()) as { data: Omit<Answer, "question" | "chosen"> };
    const { rightAnswer, explanation, claim, claimUntil } = data;
    const answer = { question, chosen, rightAnswer, explanation, claim, claimUntil };
    keep(answer);
    return answer;
  } catch {
    return null;
  }
}

/** Keep an answer; a claim that is still valid is not replaced by a later question's. */
function keep(answer: Answer): void {
  const before = readKept();
  const isValid = before?.claimUntil != null && Date.parse(before.claimUntil) > Date.now();
  const claim = isValid ? { claim: before.claim, claimUntil: before.claimUntil } : {};
  try {
    localStorage.setItem(KEPT_ANSWER, JSON.stringify({ ...answer, ...claim }));
  } catch {
    // Storage is full or forbidden: the answer is shown, and not kept.
  }
}
