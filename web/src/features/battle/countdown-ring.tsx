import "@/features/battle/countdown-ring.css";
import { useServerNow } from "@/lib/live/server-clock";

const RADIUS = 27;
const AROUND = 2 * Math.PI * RADIUS;
const REDRAW_INTERVAL_MS = 200;

type Urgency = "calm" | "hurry" | "last";

const WORDS: Record<Urgency, string> = { calm: "sec", hurry: "Hurry!", last: "Last call!" };

/** The urgency of the remaining time: from 10 seconds on, and from 5. */
function urgencyOf(secondsLeft: number): Urgency {
  if (secondsLeft > 10) {
    return "calm";
  }
  return secondsLeft > 5 ? "hurry" : "last";
}

interface CountdownRingProps {
  endsAtMs: number;
  limitSeconds: number;
  /** An answer was given: no more urgency. */
  stopped: boolean;
}

/**
 * The remaining time by the server's clock.
 *
 * Urgency changes the word below it and the shape, from ring to broken ring to full disc, and only
 * then the colour.
 */
export function CountdownRing({ endsAtMs, limitSeconds, stopped }: CountdownRingProps) {
  const leftMs = Math.max(0, endsAtMs - useServerNow(REDRAW_INTERVAL_MS));
  const seconds = Math.min(limitSeconds, Math.ceil(leftMs / 1000));
  const share = Math.min(1, leftMs / Math.max(1, limitSeconds * 1000));
  const urgency = stopped ? "calm" : urgencyOf(seconds);
  return (
    <div className={`ring is-${urgency}`} role="timer" aria-label={`${seconds} seconds left`}>
      <svg viewBox="0 0 64 64" aria-hidden="true">
        <circle className="ring-track" cx="32" cy="32" r={RADIUS} />
        <circle
          className="ring-left"
          cx="32"
          cy="32"
          r={RADIUS}
          strokeDasharray={`${AROUND * share} ${AROUND}`}
        />
      </svg>
      <span className="numeral" aria-hidden="true">
        {seconds}
      </span>
      <span className="ring-word" aria-hidden="true">
        {stopped ? "locked" : WORDS[urgency]}
      </span>
    </div>
  );
}
