import { isRecord } from "@/lib/device/storage";
import { plainText } from "@/lib/format/plain-text";
import { type QuizOption, readOptions } from "@/lib/format/quiz-options";
import { numberIn, textIn } from "@/lib/live/socket-events";

/** A running question: its end by the server's clock, and its number today. */
export interface Served {
  question: { id: string; question: string; options: QuizOption[] };
  limitSeconds: number;
  endsAtMs: number;
  number: number;
  total: number;
  rank: string;
}

export interface BattleResult {
  questionId: string;
  isCorrect: boolean;
  pointAwarded: number;
  timedOut: boolean;
  answer: string | null;
  rightAnswer: string;
  explanation: string;
  points: number;
  battlePoints: number;
  badge: string;
  promotedTo: string | null;
  nextRank: string | null;
  pointsToNext: number | null;
  number: number;
  total: number;
}

interface Tally {
  points: number;
  cnt: number;
  answeredCorrectly: number;
}

/** A day's tally: of the questions `served`, `timedOut` ran out of time. */
interface TallyOfDay extends Tally {
  served: number;
  timedOut: number;
}

/**
 * How a day in the zone ends: the day's questions are used up, all are played, or none are left.
 */
export type Ending =
  | { how: "attempted-all"; message: string; nextOpensAt: string | null }
  | {
      how: "no-more";
      message: string;
      season: Tally;
      today: TallyOfDay | null;
      nextOpensAt: string | null;
    }
  | { how: "empty"; message: string };

export interface Challenger {
  /** Null before the first points of the season. */
  rank: number | null;
  firstname: string;
  lastname: string;
  avatar: string | null;
  name: string;
  emblem: string;
  points: number;
  me: boolean;
}

export function readServed(event: unknown, nowMs: number): Served | null {
  const question = isRecord(event) ? event["question"] : null;
  if (!isRecord(event) || !isRecord(question) || typeof question["id"] !== "string") {
    return null;
  }
  const limitSeconds = numberIn(event, "timeLimit");
  const endsAtMs = instantIn(event, "deadlineAt");
  const remainingSeconds = numberIn(event, "remainingTime", limitSeconds);
  return {
    question: {
      id: question["id"],
      question: textIn(question, "question"),
      options: readOptions(question["options"]),
    },
    limitSeconds,
    endsAtMs: endsAtMs ?? nowMs + remainingSeconds * 1000,
    number: numberIn(event, "number", 1),
    total: numberIn(event, "total", 1),
    rank: textIn(event, "rank"),
  };
}

export function readResult(event: unknown): BattleResult | null {
  if (!isRecord(event)) {
    return null;
  }
  return {
    questionId: textIn(event, "questionId"),
    isCorrect: event["isCorrect"] === true,
    pointAwarded: numberIn(event, "pointAwarded"),
    timedOut: event["timedOut"] === true,
    answer: textIn(event, "answer") || null,
    rightAnswer: textIn(event, "rightAnswer"),
    explanation: textIn(event, "explanation"),
    points: numberIn(event, "points"),
    battlePoints: numberIn(event, "battlePoints"),
    badge: textIn(event, "badge"),
    promotedTo: textIn(event, "promotedTo") || null,
    nextRank: textIn(event, "nextRank") || null,
    pointsToNext: typeof event["pointsToNext"] === "number" ? event["pointsToNext"] : null,
    number: numberIn(event, "number", 1),
    total: numberIn(event, "total", 1),
  };
}

/** The instant at which the question ends by a `time_update`, in the server's milliseconds. */
export function readTick(
  event: unknown,
  nowMs: number,
): { questionId: string; endsAtMs: number } | null {
  if (!isRecord(event) || typeof event["remainingTime"] !== "number") {
    return null;
  }
  return {
    questionId: textIn(event, "questionId"),
    endsAtMs: nowMs + event["remainingTime"] * 1000,
  };
}

export function readAttemptedAll(event: unknown): Ending {
  const fields = isRecord(event) ? event : {};
  return {
    how: "attempted-all",
    message: plainText(fields["message"]) || "You have a new message",
    nextOpensAt: textIn(fields, "nextOpensAt") || null,
  };
}

export function readNoMore(event: unknown): Ending {
  const fields = isRecord(event) ? event : {};
  return {
    how: "no-more",
    message: plainText(fields["message"]),
    season: readTally(fields),
    today: isRecord(fields["today"]) ? readTallyOfDay(fields["today"]) : null,
    nextOpensAt: textIn(fields, "nextOpensAt") || null,
  };
}

export function readEmpty(event: unknown): Ending {
  return { how: "empty", message: plainText(isRecord(event) ? event["message"] : "") };
}

export function readChallengers(event: unknown): Challenger[] {
  const rows = isRecord(event) ? event["data"] : event;
  return (Array.isArray(rows) ? rows : []).filter(isRecord).map((row) => ({
    rank: numberIn(row, "rank") || null,
    firstname: textIn(row, "firstname"),
    lastname: textIn(row, "lastname"),
    avatar: textIn(row, "avatar") || null,
    name: textIn(row, "name"),
    emblem: textIn(row, "emblem"),
    points: numberIn(row, "points"),
    me: row["me"] === true,
  }));
}

function readTally(fields: Record<string, unknown>): Tally {
  return {
    points: numberIn(fields, "points"),
    cnt: numberIn(fields, "cnt"),
    answeredCorrectly: numberIn(fields, "answeredCorrectly"),
  };
}

function readTallyOfDay(fields: Record<string, unknown>): TallyOfDay {
  const tally = readTally(fields);
  return {
    ...tally,
    served: numberIn(fields, "served", tally.cnt),
    timedOut: numberIn(fields, "timedOut"),
  };
}

function instantIn(fields: Record<string, unknown>, name: string): number | null {
  const instant = Date.parse(textIn(fields, name));
  return Number.isNaN(instant) ? null : instant;
}
