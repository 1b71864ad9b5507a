import type { BattleConfig, BattleRank } from "@/api/wire";
import { counted } from "@/lib/format/counts";
import { rankName, TOP_RANK } from "@/lib/format/names";

export interface Rung {
  slug: string;
  name: string;
  /** The battle points of the season needed for the next rank; null at the top. */
  leavesAt: number | null;
  startsAt: string | null;
  endsAt: string | null;
  place: "behind" | "here" | "ahead";
}

/** The ladder from the lowest rank to King of Fans, with the rung of `badge` marked. */
export function ladder(ranks: BattleRank[], badge: string): Rung[] {
  const slugs = [...ranks.map(({ rank }) => rank), TOP_RANK];
  const mine = Math.max(slugs.indexOf(badge), 0);
  return slugs.map((slug, level) => {
    const rank = ranks[level];
    return {
      slug,
      name: rankName(slug),
      leavesAt: rank?.threshold_point ?? null,
      startsAt: rank?.start_date ?? null,
      endsAt: rank?.end_date ?? null,
      place: placeOf(level, mine),
    };
  });
}

function placeOf(level: number, mine: number): Rung["place"] {
  if (level === mine) {
    return "here";
  }
  return level < mine ? "behind" : "ahead";
}

/** When a rank may play: its own window, else the whole season. */
export function windowOf(rung: Rung | undefined, config: BattleConfig) {
  return {
    startsAt: rung?.startsAt ?? config.start_date,
    endsAt: rung?.endsAt ?? config.end_date,
  };
}

/** How many of today's questions are left, in words. */
export function questionsLeft(left: number): string {
  return `${counted(left, "question")} left`;
}

/** The state of the season by the server's clock. */
export function seasonState(config: BattleConfig, nowMs: number): BattleConfig["state"] {
  if (nowMs < Date.parse(config.start_date)) {
    return "upcoming";
  }
  return nowMs < Date.parse(config.end_date) ? "open" : "over";
}
