import {
  parseVisitorAnswer,
  VISITOR_ANSWER,
  type VisitorAnswer,
  validClaim,
} from "../src/lib/format/visitor-answer.ts";

const ANSWER_TIMEOUT_MS = 15_000;

/** The answer given in this browser, or null. */
export function readKept(): VisitorAnswer | null {
  try {
    return parseVisitorAnswer(JSON.parse(localStorage.getItem(VISITOR_ANSWER) ?? "null"));
  } catch {
    return null;
  }
}

/** Send an answer and keep its result; null if the server did not respond. */
export async function answerQuestion(
  question: string,
  chosen: string,
): Promise<VisitorAnswer | null> {
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
    const { data } = (await response.json()) as {
      data: Omit<VisitorAnswer, "question" | "chosen">;
    };
    const { rightAnswer, explanation, claim, claimUntil } = data;
    const answer = { question, chosen, rightAnswer, explanation, claim, claimUntil };
    keep(answer);
    return answer;
  } catch {
    return null;
  }
}

/** Keep an answer; a claim that is still valid is not replaced by a later question's. */
function keep(answer: VisitorAnswer): void {
  const before = readKept();
  const known = validClaim(before, Date.now());
  const claim = known === null ? {} : { claim: known, claimUntil: before?.claimUntil };
  try {
    localStorage.setItem(VISITOR_ANSWER, JSON.stringify({ ...answer, ...claim }));
  } catch {
    // Storage is full or forbidden: the answer is shown, and not kept.
  }
}
