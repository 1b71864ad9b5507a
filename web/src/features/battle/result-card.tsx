import { useState } from "react";
import { Button } from "@/components/button";
import { OptionList, type OptionMark } from "@/components/option-list";
import type { BattleResult, Served } from "@/features/battle/events";
import { ResultModal } from "@/features/battle/result-modal";

interface ResultCardProps {
  result: BattleResult;
  served: Served | null;
  onContinue: () => void;
}

/** The answered question with its right answer, under the modal that tells the result. */
export function ResultCard({ result, served, onContinue }: ResultCardProps) {
  const [told, setTold] = useState(false);
  const rightText = served?.question.options.find(({ key }) => key === result.rightAnswer)?.text;
  return (
    <section className="card question-card" aria-label={`Question ${result.number}, answered`}>
      <p className="question-number">
        Question {result.number} of {result.total}
      </p>
      {served ? <h2>{served.question.question}</h2> : null}
      {served ? (
        <OptionList options={served.question.options} marks={marksOf(result)} locked />
      ) : null}
      {told ? <p>{result.explanation}</p> : null}
      <Button look="accent" onClick={onContinue}>
        Continue
      </Button>
      {told ? null : (
        <ResultModal
          result={result}
          rightText={rightText ?? result.rightAnswer}
          onContinue={onContinue}
          onClose={() => setTold(true)}
        />
      )}
    </section>
  );
}

function marksOf({ answer, rightAnswer, isCorrect }: BattleResult): Record<string, OptionMark> {
  const marks: Record<string, OptionMark> = {};
  if (answer !== null && !isCorrect) {
    marks[answer] = "wrong";
  }
  marks[rightAnswer] = "right";
  return marks;
}
