import type { Match, MatchState, OwnPrediction, PredictionRow } from "@/api/wire";
import type { BadgeTone } from "@/components/status-badge";
import { isRunning } from "@/features/matchday/rules";
import type { SharedPrediction } from "@/lib/device/sharing";
import { earnedPoints } from "@/lib/format/points";

/** The maximum number of goals per side in a prediction. */
export const MAX_GOALS = 20;

export const WHAT_COUNTS =
  "10 points for the exact score, 4 for the right result. Points only: no stake, no prize.";

/** The kick-off moved back after the save, or the teams changed. */
const CHANGED_MATCH = "Does not count: the match changed";
const OFF: readonly MatchState[] = ["abandoned", "cancelled", "awarded"];
/** Points follow the whistle within seconds; after this they are no longer expected. */
const POINTS_TIMEOUT_MS = 5 * 60_000;

const EXACT_POINTS = 10;
const RESULT_POINTS = 4;
const AHEAD_MS = 14 * 24 * 60 * 60 * 1000;

export interface Score {
  home: number;
  away: number;
}

export function isSameScore(score: Score, other: Score | null): boolean {
  return other !== null && score.home === other.home && score.away === other.away;
}

/** Open matches with those of the member's club first; otherwise the order stays. */
export function ownClubFirst(rows: PredictionRow[], clubId: string): PredictionRow[] {
  const isOwn = ({ fixture: { home, away } }: PredictionRow) =>
    home.clubId === clubId || away.clubId === clubId;
  return [...rows.filter(isOwn), ...rows.filter((row) => !isOwn(row))];
}

/** The points that a prediction would win at the current score; null before the match starts. */
export function asItStands({ state, goals }: Match, predicted: Score): number | null {
  if (goals === null || !isRunning({ state })) {
    return null;
  }
  if (goals.home === predicted.home && goals.away === predicted.away) {
    return EXACT_POINTS;
  }
  const isRight = winnerOf(goals) === winnerOf(predicted);
  return isRight ? RESULT_POINTS : 0;
}

function winnerOf({ home, away }: Score): number {
  return Math.sign(home - away);
}

/** Whether a match can be predicted now; the server checks again on saving. */
export function isPredictable({ state, closesAt }: Match, nowMs: number): boolean {
  const leftMs = Date.parse(closesAt ?? "") - nowMs;
  return state === "scheduled" && leftMs > 0 && leftMs <= AHEAD_MS;
}

/** Whether the points of a match that has just ended are still pending. */
export function isBeingCounted(
  { state, updatedAt }: Match,
  outcome: string | undefined,
  nowMs: number,
): boolean {
  const isNew = nowMs - Date.parse(updatedAt) < POINTS_TIMEOUT_MS;
  return state === "finished" && outcome === "pending" && isNew;
}

/** The outcome of a prediction: a word or two, and its colour. */
export function outcomeText(
  match: Match,
  { home, away, points, outcome }: OwnPrediction | (PredictionRow & Score),
): { text: string; tone: BadgeTone } {
  switch (outcome) {
    case "exact":
      return { text: `Exact: ${earnedPoints(points ?? 0)}`, tone: "success" };
    case "result":
      return { text: `Right result: ${earnedPoints(points ?? 0)}`, tone: "success" };
    case "wrong":
      return { text: "Not this time", tone: "neutral" };
    case "void":
      return {
        text: OFF.includes(match.state) ? "Does not count" : CHANGED_MATCH,
        tone: "neutral",
      };
    default: {
      if (match.state === "finished") {
        return { text: "Counting the points", tone: "info" };
      }
      const points = asItStands(match, { home, away });
      return {
        text: points === null ? "Not played yet" : `As it stands: +${points}`,
        tone: "info",
      };
    }
  }
}

/** A member's own prediction, as it is shared. */
export function sharedPrediction(
  { home, away }: Match,
  goals: Score,
  outcome: SharedPrediction["outcome"] = "pending",
): SharedPrediction {
  return { kind: "prediction", home: home.name, away: away.name, goals, outcome };
}
