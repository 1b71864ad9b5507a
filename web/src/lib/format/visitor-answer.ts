/** The key of a visitor's answer in the browser's storage. */
export const VISITOR_ANSWER = "visitor-answer";

/** A visitor's answer and its result; `claim` proves a right one until `claimUntil`. */
export interface VisitorAnswer {
  question: string;
  chosen: string;
  rightAnswer: string;
  explanation: string;
  claim: string | null;
  claimUntil: string | null;
}

/** The answer as it is stored, or null. */
export function parseVisitorAnswer(stored: unknown): VisitorAnswer | null {
  if (typeof stored !== "object" || stored === null) {
    return null;
  }
  const { question, chosen, rightAnswer, explanation, ...rest } = stored as Partial<VisitorAnswer>;
  const { claim = null, claimUntil = null } = rest;
  const isWhole = [question, chosen, rightAnswer, explanation].every(isText);
  return isWhole && [claim, claimUntil].every((part) => part === null || isText(part))
    ? (stored as VisitorAnswer)
    : null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** The claim of an answer, or null once it has expired. */
export function validClaim(answer: VisitorAnswer | null, nowMs: number): string | null {
  const until = Date.parse(answer?.claimUntil ?? "");
  return answer !== null && nowMs < until ? answer.claim : null;
}
