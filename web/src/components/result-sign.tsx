import "@/components/result-sign.css";
import { Medal, Sprout, Trophy } from "lucide-react";

/** What a day's answers came to: all right, at least half, or less. */
export type ResultLevel = "perfect" | "good" | "low";

const SIGNS = { perfect: Trophy, good: Medal, low: Sprout };
const WORDS: Record<ResultLevel, string> = {
  perfect: "Perfect! Every answer is right.",
  good: "Well played.",
  low: "Tomorrow brings a new chance.",
};

export function resultLevel(correct: number, total: number): ResultLevel {
  if (total > 0 && correct >= total) {
    return "perfect";
  }
  return correct > 0 && correct * 2 >= total ? "good" : "low";
}

interface ResultProps {
  correct: number;
  /** All questions, answered or not. */
  total: number;
}

/** A celebration that depends on the result: a golden trophy, a medal, or a quiet sign. */
export function ResultSign({ correct, total }: ResultProps) {
  const level = resultLevel(correct, total);
  const Sign = SIGNS[level];
  return (
    <span className={`result-sign is-${level}`}>
      <Sign aria-hidden="true" />
    </span>
  );
}

/** The result in a sentence. */
export function ResultWords({ correct, total }: ResultProps) {
  return <p className="result-words">{WORDS[resultLevel(correct, total)]}</p>;
}
