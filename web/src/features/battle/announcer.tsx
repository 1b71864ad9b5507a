import { useEffect, useState } from "react";
import { type Face, isRunning } from "@/features/battle/battle-machine";
import { inPoints } from "@/lib/format/points";
import { serverNowMs } from "@/lib/live/server-clock";

const ANNOUNCED_SECONDS = [10, 5];

/** Announces to screen readers, politely: 10 and 5 seconds left, and the result. */
export function Announcer({ face }: { face: Face }) {
  const [said, setSaid] = useState("");
  const endsAtMs = face.kind === "question" ? face.served.endsAtMs : null;
  useEffect(() => {
    if (endsAtMs === null) {
      return;
    }
    const leftMs = endsAtMs - serverNowMs();
    const timers = ANNOUNCED_SECONDS.filter((seconds) => seconds * 1000 < leftMs).map((seconds) =>
      setTimeout(() => setSaid(`${seconds} seconds left`), leftMs - seconds * 1000),
    );
    return () => timers.forEach(clearTimeout);
  }, [endsAtMs]);
  return (
    <p className="visually-hidden" role="status">
      {isRunning(face) ? said : outcomeOf(face)}
    </p>
  );
}

function outcomeOf(face: Face): string {
  if (face.kind !== "result") {
    return "";
  }
  return face.result.isCorrect
    ? `Good Job! ${inPoints(face.result.pointAwarded)} earned.`
    : "Wrong Move! No points.";
}
