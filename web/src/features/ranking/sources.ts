import {
  CircleQuestionMark,
  type LucideIcon,
  Sparkles,
  Swords,
  Target,
  Trophy,
  UserPlus,
} from "lucide-react";
import type { PointsEntry } from "@/api/wire";

type Source = PointsEntry["source"];

const SOURCES: Record<Source, { name: string; icon: LucideIcon }> = {
  battle: { name: "Battle Zone", icon: Swords },
  trivia: { name: "Daily Quest", icon: CircleQuestionMark },
  prediction: { name: "Predictions", icon: Target },
  invite: { name: "Invites", icon: UserPlus },
  welcome: { name: "First answer", icon: Sparkles },
};

/** The source of points; of a newer server, the word itself. */
export function sourceOf(source: Source): { name: string; icon: LucideIcon } {
  return SOURCES[source] ?? { name: source, icon: Trophy };
}

/** The points of each game this season, including those with none; other sources only with some. */
export function pointsBySource(
  won: readonly { source: Source; points: number }[],
): { source: Source; points: number }[] {
  const newer = won.filter(({ source }) => SOURCES[source] === undefined);
  const known = Object.keys(SOURCES) as Source[];
  const shown = known.filter(
    (source) => source !== "welcome" || won.some((each) => each.source === source),
  );
  return shown
    .map((source) => ({
      source,
      points: won.find((each) => each.source === source)?.points ?? 0,
    }))
    .concat(newer);
}
