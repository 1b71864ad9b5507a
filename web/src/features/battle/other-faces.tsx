import "@/features/battle/other-faces.css";
import "@/features/battle/ending-face.css";
import { CalendarClock, MonitorSmartphone, TriangleAlert, WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Spinner } from "@/components/spinner";
import type { Refusal } from "@/features/battle/battle-machine";
import { formatMoment } from "@/lib/format/dates";
import { rankName } from "@/lib/format/names";
import { textIn } from "@/lib/live/socket-events";

/** Another device plays now; this one can take over. */
export function TakenOverFace({ onPlayHere }: { onPlayHere: () => void }) {
  return (
    <section className="card" aria-label="Playing elsewhere">
      <EmptyState
        icon={MonitorSmartphone}
        title="You opened Battle Zone on another device"
        action={<Button onClick={onPlayHere}>Play here instead</Button>}
      >
        You can play on one device at a time.
      </EmptyState>
    </section>
  );
}

/** How long the battle ground may take before a note appears. */
const SLOW_DELAY_MS = 8000;

/** Connecting to the battle ground, with a way back once it takes long. */
export function ConnectingFace({ onReconnect, onLeave }: OfflineFaceProps) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <section className="card battle-waiting" aria-label="Battle ground">
      <Spinner label="Getting the battle ground ready" />
      {isSlow ? (
        <>
          <p role="status">
            The battle ground is not responding. We'll keep trying. No question has been opened.
          </p>
          <WaysOn onReconnect={onReconnect} onLeave={onLeave} />
        </>
      ) : null}
    </section>
  );
}

interface OfflineFaceProps {
  onReconnect: () => void;
  onLeave: () => void;
}

/** The battle ground could not be reached. */
export function OfflineFace({ onReconnect, onLeave }: OfflineFaceProps) {
  return (
    <section className="card" aria-label="No connection">
      <EmptyState
        icon={WifiOff}
        title="Unable to initiate a connection"
        action={<WaysOn onReconnect={onReconnect} onLeave={onLeave} />}
      >
        We'll try again when your network is back. No question has been opened.
      </EmptyState>
    </section>
  );
}

function WaysOn({ onReconnect, onLeave }: OfflineFaceProps) {
  return (
    <div className="closing-actions">
      <Button onClick={onReconnect}>Reconnect</Button>
      <Button variant="secondary" onClick={onLeave}>
        Back
      </Button>
    </div>
  );
}

interface RefusedFaceProps {
  refusal: Refusal;
  onAgain: () => void;
  onLeave: () => void;
}

/** The server refused entry: the reason, and when to return. */
export function RefusedFace({ refusal, onAgain, onLeave }: RefusedFaceProps) {
  const { title, lines } = refusalText(refusal);
  const mayTryAgain = !TIMED_CODES.includes(refusal.code);
  return (
    <section className="card" aria-label="Not open">
      <EmptyState
        icon={mayTryAgain ? TriangleAlert : CalendarClock}
        title={title}
        action={
          <div className="closing-actions">
            {mayTryAgain ? <Button onClick={onAgain}>Try again</Button> : null}
            <Button variant="secondary" onClick={onLeave}>
              Back
            </Button>
          </div>
        }
      >
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </EmptyState>
    </section>
  );
}

const TIMED_CODES = ["season_not_begun", "season_over", "rank_closed"];

function refusalText({ code, message, data }: Refusal): { title: string; lines: string[] } {
  const opensAt = textIn(data, "opensAt");
  const closedAt = textIn(data, "closedAt");
  switch (code) {
    case "season_not_begun":
      return {
        title: "The season has not begun",
        lines: opensAt ? [`It opens on ${formatMoment(opensAt)}.`] : [message],
      };
    case "season_over":
      return {
        title: "The season is over",
        lines: ["The final table is on the leader board."],
      };
    case "rank_closed":
      return { title: rankClosedTitle(textIn(data, "rank")), lines: rankLines(opensAt, closedAt) };
    default:
      return {
        title: message || "The Battle Zone is not available at the moment.",
        lines: ["Nothing was lost. Please try again in a moment."],
      };
  }
}

function rankClosedTitle(rank: string): string {
  return rank ? `${rankName(rank)} is not open now` : "Your rank is not open now";
}

function rankLines(opensAt: string, closedAt: string): string[] {
  return [
    opensAt ? `Members of your rank play from ${formatMoment(opensAt)}.` : "",
    closedAt ? `Its time ended on ${formatMoment(closedAt)}.` : "",
  ].filter(Boolean);
}
