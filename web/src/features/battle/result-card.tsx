import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { markAllCelebrationsSeen } from "@/api/celebrations";
import { useSharer } from "@/api/use-sharer";
import type { BattleRank } from "@/api/wire";
import { Button } from "@/components/button";
import { OptionList, type OptionMark } from "@/components/option-list";
import { PromotionDialog } from "@/components/promotion-dialog";
import type { BattleResult, Served } from "@/features/battle/events";
import { ResultModal } from "@/features/battle/result-modal";
import { useMember } from "@/lib/session/session";

interface ResultCardProps {
  result: BattleResult;
  served: Served | null;
  ranks: BattleRank[];
  onContinue: () => void;
}

/**
 * The answered question with its right answer, under the result modal.
 *
 * After a promotion, Continue leads to its celebration first.
 */
export function ResultCard({ result, served, ranks, onContinue }: ResultCardProps) {
  const member = useMember();
  const queryClient = useQueryClient();
  const [told, setTold] = useState(false);
  const [celebrating, setCelebrating] = useState(false);
  const proceed = result.promotedTo === null ? onContinue : () => setCelebrating(true);
  const endCelebration = () => {
    markAllCelebrationsSeen(queryClient, member).catch(() => undefined);
    onContinue();
  };
  if (celebrating && result.promotedTo !== null) {
    return <Promotion badge={result.promotedTo} ranks={ranks} onContinue={endCelebration} />;
  }
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
      <Button variant="accent" onClick={proceed}>
        Continue
      </Button>
      {told ? null : (
        <ResultModal
          result={result}
          rightText={rightText ?? result.rightAnswer}
          onContinue={proceed}
          onClose={() => setTold(true)}
        />
      )}
    </section>
  );
}

interface PromotionProps {
  badge: string;
  ranks: BattleRank[];
  onContinue: () => void;
}

function Promotion({ badge, ranks, onContinue }: PromotionProps) {
  return (
    <PromotionDialog
      badge={badge}
      ranks={ranks.map(({ rank }) => rank)}
      sharer={useSharer()}
      onContinue={onContinue}
    />
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
