import { rankName } from "@/lib/format/names";

/** Shareable content: no questions, answers, money or contact details. */
export type Shared =
  | { kind: "quest" | "battle"; correct: number; total: number }
  | { kind: "promotion"; badge: string }
  | SharedPrediction;

export interface SharedPrediction {
  kind: "prediction";
  home: string;
  away: string;
  goals: { home: number; away: number };
  /** The result from the server; `pending` before. */
  outcome: string;
}

/** The sharer, as named on a card. */
export interface Sharer {
  name: string;
  clubName: string;
  colours: readonly string[] | undefined;
  /** The member's plan, the mark on their cards; null without one. */
  planName: string | null;
  /** Their invite, or the app's address if it is unknown. */
  link: string;
}

interface CardTexts {
  /** The subject of the figure. */
  label: string;
  figure: string;
  /** The match of a prediction. */
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

/** A card in a sentence, as alternative text and for messages. */
export function spokenCard(shared: Shared): string {
  const { label, figure, detail } = cardTexts(shared);
  return `${label}: ${figure}${detail === undefined ? "" : `, ${detail}`}`;
}

/** The message text beside a card. */
export function messageWith(shared: Shared, { link }: Sharer): string {
  return `${spokenCard(shared)}. Join me on King of Fans: ${link}`;
}

/** A readable link, without `https://`. */
export function shortLink(link: string): string {
  return link.replace(/^https?:\/\//, "").replace(/\/$/, "");
}
