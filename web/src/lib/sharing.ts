import { rankName } from "@/lib/names";

/** What is shared: nothing of a question, an answer, money or how to reach somebody. */
export type Shared =
  | { kind: "quest" | "battle"; correct: number; total: number }
  | { kind: "promotion"; badge: string }
  | SharedPrediction;

export interface SharedPrediction {
  kind: "prediction";
  home: string;
  away: string;
  goals: { home: number; away: number };
  /** What came of it, as the server says it; `pending` before. */
  outcome: string;
}

/** Who shares, as a card names them. */
export interface Sharer {
  name: string;
  clubName: string;
  colours: readonly string[] | undefined;
  /** Members with a plan have a mark on their cards. */
  hasPlan: boolean;
  /** Their invite, or the app's address where it is not known. */
  link: string;
}

interface CardTexts {
  /** What the figure is about. */
  label: string;
  figure: string;
  /** Which match a prediction is of. */
  detail?: string;
}

const CAME_TRUE: Record<string, string> = { exact: ": exact score", result: ": right result" };

/** The words on a card. */
export function cardTexts(shared: Shared): CardTexts {
  switch (shared.kind) {
    case "quest":
      return { label: "Daily Quest", figure: `${shared.correct} of ${shared.total} right` };
    case "battle":
      return { label: "Battle Zone", figure: `${shared.correct} of ${shared.total} right` };
    case "promotion":
      return { label: "New rank", figure: rankName(shared.badge) };
    case "prediction":
      return {
        label: `My prediction${CAME_TRUE[shared.outcome] ?? ""}`,
        figure: `${shared.goals.home}–${shared.goals.away}`,
        detail: `${shared.home} v ${shared.away}`,
      };
  }
}

/** A card in a sentence, for those who do not see it and beside it in a message. */
export function spokenCard(shared: Shared): string {
  const { label, figure, detail } = cardTexts(shared);
  return `${label}: ${figure}${detail === undefined ? "" : `, ${detail}`}`;
}

/** What goes with a card in a message. */
export function messageWith(shared: Shared, { link }: Sharer): string {
  return `${spokenCard(shared)}. Join me on King of Fans: ${link}`;
}

/** A link as it is read out, without `https://`. */
export function shortLink(link: string): string {
  return link.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
