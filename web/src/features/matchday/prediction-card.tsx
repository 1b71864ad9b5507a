import { CircleAlert, LoaderCircle, X } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useSharer } from "@/api/use-sharer";
import type { Match, MatchTeam } from "@/api/wire";
import { Button } from "@/components/button";
import { Crest } from "@/components/crest";
import { ShareButton } from "@/components/share-button";
import { StatusBadge } from "@/components/status-badge";
import { Stepper } from "@/components/stepper";
import {
  isPredictable,
  MAX_GOALS,
  type Score,
  sharedPrediction,
} from "@/features/matchday/prediction-rules";
import type { Stored } from "@/features/matchday/prediction-saver";
import { playedFor } from "@/features/matchday/rules";
import { type SaveState, useAutoSave } from "@/features/matchday/use-auto-save";
import { dayOf, formatDate, formatTime } from "@/lib/format/dates";
import { paths } from "@/lib/format/paths";
import { useServerNow } from "@/lib/live/server-clock";

const ANNOUNCE_INTERVAL_MS = 10_000;
const NOTHING: Score = { home: 0, away: 0 };

interface PredictionCardProps {
  match: Match;
  /** The saved prediction; null before. */
  saved: Stored | null;
  /** The match's own screen already shows its name and its teams. */
  isAlone?: boolean;
}

/** The prediction of a match, saved as it is set, until the match kicks off. */
export function PredictionCard({ match, saved, isAlone = false }: PredictionCardProps) {
  const { home, away, closesAt } = match;
  const isOpen = isPredictable(match, useServerNow(ANNOUNCE_INTERVAL_MS));
  const prediction = useAutoSave(match, saved, isOpen);
  const score = prediction.score ?? NOTHING;
  return (
    <section
      className={isAlone ? "card prediction-card" : "prediction-line"}
      aria-label={
        isAlone ? "Your prediction" : `Your prediction: ${home.name} against ${away.name}`
      }
    >
      <Title match={match} isAlone={isAlone} />
      {(["home", "away"] as const).map((side) => (
        <SideOfScore
          key={side}
          team={match[side]}
          goals={score[side]}
          isOpen={isOpen}
          onChange={(goals) => prediction.change({ ...score, [side]: goals })}
        />
      ))}
      <div className="prediction-actions">
        <p className="small muted">
          {isOpen ? `Open until ${shortly(closesAt ?? "")}` : "Predictions are closed"}
        </p>
        <Saving
          state={prediction.state}
          score={score}
          isOpen={isOpen}
          onPredictNil={() => prediction.change(NOTHING)}
          onRetry={prediction.retry}
        />
        {saved !== null && prediction.state === "saved" ? (
          <OfSaved canRemove={isOpen && !prediction.isForgetting} onRemove={prediction.forget}>
            {isAlone ? <ShareOwn match={match} saved={saved} /> : null}
          </OfSaved>
        ) : null}
      </div>
    </section>
  );
}

/** A moment as `30 Nov 2026, 4:00 pm`, which fits beside a button. */
function shortly(iso: string): string {
  const epochMs = Date.parse(iso);
  return Number.isNaN(epochMs) ? "" : `${formatDate(dayOf(epochMs))}, ${formatTime(epochMs)}`;
}

function Title({ match, isAlone }: { match: Match; isAlone: boolean }) {
  return isAlone ? (
    <h2>Your prediction</h2>
  ) : (
    <Link className="small muted" to={paths.match(match.id)}>
      {playedFor(match)}
    </Link>
  );
}

interface SavingProps {
  state: SaveState;
  score: Score;
  isOpen: boolean;
  onPredictNil: () => void;
  onRetry: () => void;
}

/** Whether the shown score is saved, and what is left to do. */
function Saving({ state, score, isOpen, onPredictNil, onRetry }: SavingProps) {
  return (
    <div className="prediction-saving" role="status">
      {state === "saved" ? (
        <StatusBadge tone="success" text={`Saved: ${score.home}–${score.away}`} />
      ) : null}
      {state === "saving" ? (
        <span className="small muted">
          <LoaderCircle aria-hidden="true" />
          Saving…
        </span>
      ) : null}
      {state === "not-saved" ? (
        <>
          <span className="small field-error">
            <CircleAlert aria-hidden="true" />
            Not saved
          </span>
          {isOpen ? (
            <Button variant="quiet" onClick={onRetry}>
              Try again
            </Button>
          ) : null}
        </>
      ) : null}
      {state === "none" && isOpen ? (
        <Button variant="secondary" onClick={onPredictNil}>
          Predict 0–0
        </Button>
      ) : null}
    </div>
  );
}

interface OfSavedProps {
  canRemove: boolean;
  onRemove: () => void;
  children: ReactNode;
}

function OfSaved({ canRemove, onRemove, children }: OfSavedProps) {
  return (
    <>
      {children}
      <button
        type="button"
        className="icon-button"
        aria-label="Remove"
        disabled={!canRemove}
        onClick={onRemove}
      >
        <X aria-hidden="true" />
      </button>
    </>
  );
}

function ShareOwn({ match, saved }: { match: Match; saved: Score }) {
  return (
    <ShareButton sharer={useSharer()} shared={sharedPrediction(match, saved)} variant="quiet" />
  );
}

interface SideOfScoreProps {
  team: MatchTeam;
  goals: number;
  isOpen: boolean;
  onChange: (goals: number) => void;
}

function SideOfScore({ team, goals, isOpen, onChange }: SideOfScoreProps) {
  return (
    <div className="prediction-side">
      <span className="match-team">
        <Crest clubName={team.name} emblem={team.emblem} size={32} />
        <span>{team.name}</span>
      </span>
      <Stepper
        label={team.name}
        counts="Goals"
        value={goals}
        min={isOpen ? 0 : goals}
        max={isOpen ? MAX_GOALS : goals}
        onChange={onChange}
      />
    </div>
  );
}
