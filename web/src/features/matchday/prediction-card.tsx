import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { invalidateAfter } from "@/api/stale";
import { useSharer } from "@/api/use-sharer";
import type { Match, MatchTeam } from "@/api/wire";
import { Button } from "@/components/button";
import { Crest } from "@/components/crest";
import { ShareButton } from "@/components/share-button";
import { StatusBadge } from "@/components/status-badge";
import { Stepper } from "@/components/stepper";
import { removePrediction, savePrediction } from "@/features/matchday/api";
import {
  isPredictable,
  MAX_GOALS,
  type Score,
  sharedPrediction,
} from "@/features/matchday/prediction-rules";
import { playedFor } from "@/features/matchday/rules";
import { formatMoment } from "@/lib/format/dates";
import { paths } from "@/lib/format/paths";
import { neverSent } from "@/lib/live/failures";
import { useServerNow } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";

const ANNOUNCE_INTERVAL_MS = 10_000;
const NOT_SAVED = "You are offline. Your prediction is not saved.";
const NOTHING: Score = { home: 0, away: 0 };

interface PredictionCardProps {
  match: Match;
  /** The saved prediction; null before. */
  saved: Score | null;
  /** The match's own screen already shows its name and its teams. */
  isAlone?: boolean;
}

/** The prediction form of a match, open until it kicks off. */
export function PredictionCard({ match, saved, isAlone = false }: PredictionCardProps) {
  const { home, away, closesAt } = match;
  const [draft, setDraft] = useState<Score | null>(null);
  const score = draft ?? saved ?? NOTHING;
  const isOpen = isPredictable(match, useServerNow(ANNOUNCE_INTERVAL_MS));
  const { save, forget } = usePredicting(match.id, (done) =>
    // Changes typed during the request are not saved yet, and stay.
    setDraft((now) => (now !== null && done !== null && !isSame(now, done) ? now : null)),
  );
  const canChange = isOpen && !save.isPending && !forget.isPending;
  return (
    <section
      className="card prediction-card"
      aria-label={
        isAlone ? "Your prediction" : `Your prediction: ${home.name} against ${away.name}`
      }
    >
      {isAlone ? (
        <h2>Your prediction</h2>
      ) : (
        <Link className="small muted" to={paths.match(match.id)}>
          {playedFor(match)}
        </Link>
      )}
      {(["home", "away"] as const).map((side) => (
        <SideOfScore
          key={side}
          team={match[side]}
          goals={score[side]}
          onChange={(goals) => setDraft({ ...score, [side]: goals })}
        />
      ))}
      <p className="small muted">
        {isOpen ? `Open until ${formatMoment(closesAt ?? "")}` : "Predictions are closed"}
      </p>
      <div className="prediction-actions">
        <Button
          busy={save.isPending}
          disabled={!canChange || isSame(score, saved)}
          onClick={() => save.mutate(score)}
        >
          Save prediction
        </Button>
        <SavedScore saved={saved}>
          <Button
            variant="quiet"
            busy={forget.isPending}
            disabled={!canChange}
            onClick={() => forget.mutate()}
          >
            Remove
          </Button>
          {saved === null ? null : <ShareOwn match={match} saved={saved} />}
        </SavedScore>
      </div>
    </section>
  );
}

function isSame(score: Score, saved: Score | null): boolean {
  return saved !== null && score.home === saved.home && score.away === saved.away;
}

/** The saved prediction, and a button that deletes it. */
function SavedScore({ saved, children }: { saved: Score | null; children: ReactNode }) {
  return saved === null ? null : (
    <>
      <StatusBadge tone="success" text={`Saved: ${saved.home}–${saved.away}`} />
      {children}
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
  onChange: (goals: number) => void;
}

function SideOfScore({ team, goals, onChange }: SideOfScoreProps) {
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
        min={0}
        max={MAX_GOALS}
        onChange={onChange}
      />
    </div>
  );
}

/**
 * Save and remove; idempotent, so both can be pressed again.
 *
 * `onDone` gets the saved prediction, null if it was removed.
 */
function usePredicting(matchId: string, onDone: (saved: Score | null) => void) {
  const { id: userId } = useMember();
  const queryClient = useQueryClient();
  const settled = async (saved: Score | null) => {
    await invalidateAfter(queryClient, "predicted", userId);
    onDone(saved);
  };
  const onError = (error: unknown) => {
    if (neverSent(error)) {
      showToast("error", NOT_SAVED);
    } else {
      showFailure(error);
      void invalidateAfter(queryClient, "predicted", userId);
    }
  };
  return {
    save: useMutation({
      mutationFn: (score: Score) => savePrediction(matchId, score),
      onSuccess: (_, score) => settled(score),
      onError,
    }),
    forget: useMutation({
      mutationFn: () => removePrediction(matchId),
      onSuccess: () => settled(null),
      onError,
    }),
  };
}
