import type { ReactionKey } from "@/api/wire";
import { isRecord } from "@/lib/device/storage";

/** The possible reactions, in display order: emoji are text and need no download. */
export const REACTIONS: readonly { key: ReactionKey; emoji: string; name: string }[] = [
  { key: "goal", emoji: "⚽", name: "Goal" },
  { key: "fire", emoji: "🔥", name: "Fire" },
  { key: "laugh", emoji: "😂", name: "Laugh" },
  { key: "clap", emoji: "👏", name: "Clap" },
  { key: "love", emoji: "❤️", name: "Love" },
  { key: "pain", emoji: "😩", name: "Pain" },
];

/** The number of members by reaction; zeros are left out. */
export type Counts = Partial<Record<ReactionKey, number>>;

export interface Reactions {
  counts: Counts;
  /** The member's own reaction. */
  mine: ReactionKey | null;
}

export function readCounts(value: unknown): Counts {
  const found = isRecord(value) ? value : {};
  return Object.fromEntries(
    REACTIONS.flatMap(({ key }) => {
      const count = found[key];
      return typeof count === "number" && count > 0 ? [[key, count]] : [];
    }),
  );
}

export function readReactionKey(value: unknown): ReactionKey | null {
  return REACTIONS.find(({ key }) => key === value)?.key ?? null;
}

/** The reactions after the member changes theirs to `key`, or removes it. */
export function withMine({ counts, mine }: Reactions, key: ReactionKey | null): Reactions {
  if (key === mine) {
    return { counts, mine };
  }
  const changed = { ...counts };
  if (mine !== null) {
    changed[mine] = (changed[mine] ?? 1) - 1;
  }
  if (key !== null) {
    changed[key] = (changed[key] ?? 0) + 1;
  }
  return { counts: readCounts(changed), mine: key };
}
