import {
  ChartNoAxesColumn,
  CircleQuestionMark,
  Flag,
  type LucideIcon,
  Swords,
  Target,
} from "lucide-react";
import type { Tile, TodayAction } from "@/api/wire";
import { counted } from "@/lib/format/counts";
import { paths } from "@/lib/format/paths";
import { largestUnit } from "@/lib/format/waits";

/** A call to action: its button's text, and its target. */
interface CallToAction {
  text: string;
  path: string;
}

/** How a tile shows: title, state, and the link, if it is open. */
export interface HomeTile {
  kind: Tile["kind"];
  title: string;
  icon: LucideIcon;
  line: string;
  button: CallToAction | null;
  /** The screen behind it, linked even if there is nothing to do now. */
  path: string;
}

type TileOf<Kind extends Tile["kind"]> = Extract<Tile, { kind: Kind }>;

/** The content of a tile; null if it is hidden. */
export function tileOf(tile: Tile, nowMs: number): HomeTile | null {
  switch (tile.kind) {
    case "quest":
      return questTile(tile);
    case "battle":
      return battleTile(tile, nowMs);
    case "predict":
      return predictTile(tile);
    case "club_battle":
      return {
        kind: tile.kind,
        title: "Club battle",
        icon: Flag,
        line: "Your club plays now",
        button: { text: "Join", path: tile.path },
        path: tile.path,
      };
  }
}

function questTile({ kind, state, ...quest }: TileOf<"quest">): HomeTile {
  const base = { kind, title: "Trivia", icon: CircleQuestionMark, path: paths.trivia };
  switch (state) {
    case "open": {
      const size = counted(quest.questions ?? 0, "question");
      return {
        ...base,
        line: `${size}, ${counted(quest.pointsEach ?? 0, "point")} each`,
        button: { text: "Start", path: paths.trivia },
      };
    }
    case "done":
      return {
        ...base,
        line: `Done: ${quest.correct ?? 0} of ${quest.total ?? 0} right`,
        button: { text: "See the answers", path: paths.trivia },
      };
    default:
      return { ...base, line: "No quest at the moment", button: null };
  }
}

function battleTile(tile: TileOf<"battle">, nowMs: number): HomeTile {
  return {
    kind: tile.kind,
    title: "Battle Zone",
    icon: Swords,
    line: battleLine(tile, nowMs),
    button: BATTLE_WAYS[tile.state] ?? null,
    path: paths.battleZone,
  };
}

const BATTLE_WAYS: Partial<Record<TileOf<"battle">["state"], CallToAction>> = {
  running: { text: "Back to the battle", path: paths.battleZone },
  open: { text: "Play", path: paths.battleZone },
  locked: { text: "See plans", path: paths.subscriptions },
};

function battleLine({ state, left, opensAt }: TileOf<"battle">, nowMs: number): string {
  switch (state) {
    case "running":
      return "A question is running";
    case "open":
      return `${counted(left ?? 0, "question")} left`;
    case "done":
      return "Today's questions are played";
    case "locked":
      return "Needs the Battle Pass";
    case "over":
      return "The season is over";
    case "empty":
      return "No questions at the moment";
    default:
      return opensAt
        ? `Opens in ${largestUnit(Date.parse(opensAt) - nowMs)}`
        : "Not open for your rank";
  }
}

function predictTile({ kind, state, left }: TileOf<"predict">): HomeTile | null {
  const base = { kind, title: "Predictions", icon: Target, path: paths.predictions };
  switch (state) {
    case "open":
      return {
        ...base,
        line: `${counted(left ?? 0, "match", "matches")} to predict`,
        button: { text: "Predict", path: paths.predictions },
      };
    case "done":
      return { ...base, line: "All matches are predicted", button: null };
    default:
      return null;
  }
}

/** The first thing to do; if nothing is left, the board. */
export function actionTile(
  { kind, path }: TodayAction,
  tiles: readonly HomeTile[],
): Omit<HomeTile, "kind" | "path"> {
  const tile = tiles.find((other) => other.kind === kind);
  return tile === undefined || tile.button === null
    ? {
        title: "All done for today",
        icon: ChartNoAxesColumn,
        line: "See where it took you.",
        button: { text: "Leader board", path: paths.leaderBoard },
      }
    : { ...tile, button: { ...tile.button, path } };
}

/** The end of the countdown beside the action. */
export function untilText(kind: TodayAction["kind"]): string {
  switch (kind) {
    case "done":
      return "More in";
    case "predict":
      return "Closes in";
    default:
      return "Ends in";
  }
}
