import { useEffect, useState } from "react";
import type { Room } from "@/features/chat/room";
import { counted } from "@/lib/format/counts";

/** Whether slow mode holds the member's next message back. */
export function isSlowed({ slowSeconds, heldUntilMs, pending }: Room): boolean {
  const isSending = pending.some(({ status }) => status === "sending");
  return slowSeconds > 0 && (heldUntilMs > 0 || isSending);
}

interface SlowModeNoteProps {
  /** The id of the note, which describes the field. */
  id: string;
  room: Room;
  /** How often the member has tried to send during the pause: each is answered. */
  attempts: number;
}

/** In slow mode: how often the member may write in this room, and the seconds left. */
export function SlowModeNote({
  id,
  room: { slowSeconds, heldUntilMs },
  attempts,
}: SlowModeNoteProps) {
  const left = useSecondsLeft(heldUntilMs);
  return slowSeconds === 0 ? null : (
    <>
      <p id={id} className="field-hint">
        Slow mode: one message every {counted(slowSeconds, "second")}
        {/* Not read out every second. */}
        {left > 0 ? <span aria-hidden="true"> · {left} s left</span> : null}
      </p>
      <SlowModeAnswer attempts={attempts} left={left} />
    </>
  );
}

/** The seconds left when the member tried to send, for screen readers. */
function SlowModeAnswer({ attempts, left }: { attempts: number; left: number }) {
  const [answer, setAnswer] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the seconds at the attempt
  useEffect(() => {
    if (attempts > 0 && left > 0) {
      setAnswer(`You can send again in ${counted(left, "second")}.`);
    }
  }, [attempts]);
  return (
    <span className="visually-hidden" role="status">
      {answer}
    </span>
  );
}

/** The seconds until then, updated while there are any. */
function useSecondsLeft(untilMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (untilMs === 0) {
      return;
    }
    const update = () => setNowMs(Date.now());
    update();
    const timer = setInterval(update, 1000);
    return () => clearInterval(timer);
  }, [untilMs]);
  return Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
}
