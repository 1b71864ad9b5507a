import { counted, formatCount, plural } from "@/lib/format/counts";
import { rankName } from "@/lib/format/names";

/** The explanation of points, word for word as members read it. */
export const POINTS_STORY = [
  "All your points count towards the season, and the season total decides the leader boards.",
  "Right answers in the Battle Zone are also battle points. Only battle points lift your rank.",
  "Points can't be exchanged for money.",
];

/** "1 point", "1,452 points": counted on boards; battle points are always called so. */
export function inPoints(points: number): string {
  return counted(points, "point");
}

/** "+10 points"; zero has no sign. */
export function earnedPoints(points: number): string {
  return points > 0 ? `+${inPoints(points)}` : inPoints(points);
}

/** "60 battle points": they reach ranks. */
export function inBattlePoints(points: number): string {
  return `${formatCount(points)} battle ${unitOf(points)}`;
}

/** "20 of 50 battle points to Super Fan": the progress to the next rank. */
export function rankProgress(battlePoints: number, needed: number, nextRank: string): string {
  return `${formatCount(battlePoints)} of ${inBattlePoints(needed)} to ${rankName(nextRank)}`;
}

export function unitOf(points: number): string {
  return plural(points, "point");
}
