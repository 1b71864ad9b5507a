import { keys, type RegisteredKey } from "@/api/query-keys";
import { isRecord } from "@/lib/storage";

/** An answer of the server as it is kept, and when it came, in milliseconds since 1970. */
export interface KeptAnswer {
  queryKey: RegisteredKey;
  data: unknown;
  updatedAt: number;
}

/** Raise it when an answer that is kept changes its shape: what older builds kept is ignored. */
export const SHAPE = 1;

/** The longest answer that is kept, in characters; a page of anything is far below. */
const LONGEST = 64_000;

/**
 * The closed list of what a phone keeps of a member (contract F-19), by the beginnings of the keys,
 * with what an answer has to look like to be drawn.
 *
 * Never here: details of the profile, the statement, sessions.
 */
const KEPT: { begins: (userId: string) => RegisteredKey; fits: (data: unknown) => boolean }[] = [
  {
    begins: keys.statistics,
    fits: (data) =>
      isRecord(data) &&
      isRecord(data["ranking"]) &&
      typeof data["ranking"]["points"] === "number" &&
      typeof data["ranking"]["badge"] === "string" &&
      isRows(data["leaderboard"]),
  },
  {
    begins: keys.allDays,
    fits: (data) =>
      isRecord(data) && isRecord(data["action"]) && isRecord(data["me"]) && isRows(data["doors"]),
  },
  { begins: keys.balance, fits: (data) => typeof data === "number" },
  {
    begins: keys.boards,
    fits: (data) => isRecord(data) && isRows(data["rows"]),
  },
  { begins: keys.allLastMessages, fits: isRows },
  // Lists of matches, tables and dates; pages of predictions; a single match.
  {
    begins: keys.allMatches,
    fits: (data) => isRows(data) || isPages(data) || (isRecord(data) && isRecord(data["home"])),
  },
  // What was read of the news, and the list that leads there.
  {
    begins: keys.allNews,
    fits: (data) => isRows(data) || (isRecord(data) && typeof data["html"] === "string"),
  },
];

/** The beginnings of the keys of everything that is kept of a member. */
export function keptKeys(userId: string): RegisteredKey[] {
  return KEPT.map(({ begins }) => begins(userId));
}

/** Whether an answer is of the list, and of a shape that can be drawn. */
export function isKept({ queryKey, data }: KeptAnswer, userId: string): boolean {
  return KEPT.some(
    ({ begins, fits }) =>
      begins(userId).every((part, index) => part === queryKey[index]) && fits(data),
  );
}

/** An answer as text; null for one that is too long. */
export function written({ queryKey, data, updatedAt }: KeptAnswer): string | null {
  const text = JSON.stringify({ shape: SHAPE, queryKey, data, updatedAt });
  return text.length > LONGEST ? null : text;
}

/** An answer from its text; null for what is damaged, of another shape, or of the future. */
export function read(text: unknown, userId: string, nowMs = Date.now()): KeptAnswer | null {
  const kept = parsed(text);
  if (!isRecord(kept) || kept["shape"] !== SHAPE || !Array.isArray(kept["queryKey"])) {
    return null;
  }
  const { queryKey, data, updatedAt } = kept as unknown as KeptAnswer;
  const isPast = typeof updatedAt === "number" && updatedAt > 0 && updatedAt <= nowMs;
  const answer = { queryKey, data, updatedAt };
  return isPast && isKept(answer, userId) ? answer : null;
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

function isRows(value: unknown): boolean {
  return Array.isArray(value) && value.every(isRecord);
}

function isPages(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value["pages"]) && value["pages"].every(isRows);
}
