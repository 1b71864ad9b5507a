import "@/features/battle/result-modal.css";
import { ArrowUp, CircleCheck, CircleX } from "lucide-react";
import { Button } from "@/components/button";
import { Modal } from "@/components/modal";
import type { BattleResult } from "@/features/battle/events";
import { formatCount } from "@/lib/format/counts";
import { rankName } from "@/lib/format/names";
import { inBattlePoints, rankProgress, unitOf } from "@/lib/format/points";

interface ResultModalProps {
  result: BattleResult;
  rightText: string;
  onContinue: () => void;
  onClose: () => void;
}

/** 'Good Job!' with the points, or 'Wrong Move!' with the right answer; then Continue. */
export function ResultModal({ result, rightText, onContinue, onClose }: ResultModalProps) {
  return (
    <Modal
      header={result.isCorrect ? "Good Job!" : "Wrong Move!"}
      classes={result.isCorrect ? "result-modal is-right" : "result-modal is-wrong"}
      footer={false}
      onClose={onClose}
      content={
        <>
          {result.isCorrect ? (
            <p className="result-points">
              <span className="numeral">+{formatCount(result.pointAwarded)}</span>{" "}
              <span>{unitOf(result.pointAwarded)}</span>
            </p>
          ) : (
            <p className="result-right">
              {result.timedOut ? "The time ran out. " : null}The right answer is{" "}
              <strong>{rightText}</strong>
            </p>
          )}
          {result.promotedTo ? <Promotion badge={result.promotedTo} /> : null}
          {result.explanation ? (
            <p className="result-why">
              {result.isCorrect ? (
                <CircleCheck aria-hidden="true" />
              ) : (
                <CircleX aria-hidden="true" />
              )}
              <span>{result.explanation}</span>
            </p>
          ) : null}
          <ResultRanking result={result} />
          <Button variant="accent" wide data-first-focus onClick={onContinue}>
            Continue
          </Button>
        </>
      }
    />
  );
}

function Promotion({ badge }: { badge: string }) {
  return (
    <p className="promotion">
      <ArrowUp aria-hidden="true" />
      <strong>You are now {rankName(badge)}</strong>
    </p>
  );
}

function ResultRanking({ result }: { result: BattleResult }) {
  const { battlePoints, pointsToNext, nextRank } = result;
  return (
    <p className="small muted">
      {pointsToNext !== null && nextRank !== null
        ? rankProgress(battlePoints, battlePoints + pointsToNext, nextRank)
        : inBattlePoints(battlePoints)}
    </p>
  );
}
