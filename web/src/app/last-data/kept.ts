import { keys, type RegisteredKey } from "@/api/query-keys";
import { isRecord } from "@/lib/device/storage";

/** A stored answer, and when it came, in milliseconds since 1970. */
export interface StoredAnswer {
  queryKey: RegisteredKey;
  data: unknown;
  updatedAt: number;
}

/** Increase it when a stored answer changes its shape: answers of older builds are then ignored. */
export const SHAPE = 1;

/** The maximum stored length of an answer, in characters; of a longer one, the newest part. */
const MAX_LENGTH = 64_000;

/** Drop the oldest rows of an answer until it fits the limit. */
type Shorten = (data: unknown, maxLength: number) => unknown;

interface Kept {
  begins: (userId: string) => RegisteredKey;
  fits: (data: unknown) => boolean;
  /** For answers that grow; any other one that is too long is not stored. */
  shorten?: Shorten;
}

/**
 * The closed list of member data stored on a phone (contract F-19), by key prefix, with the shape
 * that an answer needs to be rendered.
 *
 * Never stored: details of the profile, the statement, sessions.
 */
const KEPT: Kept[] = [
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
  {
    begins: keys.balance,
    fits: (data) => isRecord(data) && typeof data["balance"] === "number",
  },
  {
    begins: keys.boards,
    fits: (data) => isRecord(data) && isRows(data["rows"]),
  },
  // The newest message comes last.
  { begins: keys.allLastMessages, fits: isRows, shorten: lastRows },
  { begins: keys.notifications, fits: isPages, shorten: firstPages },
  // Tables and dates; pages of matches and predictions, nearest first; a single match.
  {
    begins: keys.allMatches,
    fits: (data) => isRows(data) || isPages(data) || (isRecord(data) && isRecord(data["home"])),
    shorten: (data, maxLength) =>
      isRows(data)
        ? firstThatFit(data, maxLength)
        : isPages(data)
          ? firstPages(data, maxLength)
          : data,
  },
  // Articles that were read, and the list that links to them.
  {
    begins: keys.allNews,
    fits: (data) => isRows(data) || (isRecord(data) && typeof data["html"] === "string"),
  },
];

/** The key prefixes of all stored member data. */
export function storedKeys(userId: string): RegisteredKey[] {
  return KEPT.map(({ begins }) => begins(userId));
}

/** A listed answer as text, without its oldest rows if it is too long; null for any other. */
export function written(answer: StoredAnswer, userId: string): string | null {
  const { queryKey, data, updatedAt } = answer;
  const kept = ruleFor(answer, userId);
  if (kept === undefined) {
    return null;
  }
  const textOf = (part: unknown) =>
    JSON.stringify({ shape: SHAPE, queryKey, data: part, updatedAt });
  const whole = textOf(data);
  if (whole.length <= MAX_LENGTH || kept.shorten === undefined) {
    return whole.length <= MAX_LENGTH ? whole : null;
  }
  const text = textOf(kept.shorten(data, MAX_LENGTH - textOf(null).length));
  return text.length <= MAX_LENGTH ? text : null;
}

/** An answer from its text; null if it is damaged, of another shape, or from the future. */
export function read(text: unknown, userId: string, nowMs = Date.now()): StoredAnswer | null {
  const kept = parsed(text);
  if (!isRecord(kept) || kept["shape"] !== SHAPE || !Array.isArray(kept["queryKey"])) {
    return null;
  }
  const { queryKey, data, updatedAt } = kept as unknown as StoredAnswer;
  const isPast = typeof updatedAt === "number" && updatedAt > 0 && updatedAt <= nowMs;
  const answer = { queryKey, data, updatedAt };
  return isPast && ruleFor(answer, userId) !== undefined ? answer : null;
}

/** The list's entry for an answer; undefined for others, and for what cannot be rendered. */
function ruleFor({ queryKey, data }: StoredAnswer, userId: string): Kept | undefined {
  return KEPT.find(
    ({ begins, fits }) =>
      begins(userId).every((part, index) => part === queryKey[index]) && fits(data),
  );
}

function lastRows(data: unknown, maxLength: number): unknown {
  return firstThatFit([...(data as unknown[])].reverse(), maxLength).reverse();
}

function firstPages(data: unknown, maxLength: number): unknown {
  const { pages, pageParams } = data as { pages: unknown[]; pageParams: unknown[] };
  const fit = firstThatFit(pages, maxLength - JSON.stringify({ pages: [], pageParams }).length);
  return { pages: fit, pageParams: pageParams.slice(0, fit.length) };
}

function firstThatFit<Part>(items: readonly Part[], maxLength: number): Part[] {
  let length = "[]".length;
  const end = items.findIndex((part) => {
    length += JSON.stringify(part).length + ",".length;
    return length > maxLength;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return null;
  }
}

function isRows(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.every(isRecord);
}

function isPages(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value["pages"]) && value["pages"].every(isRows);
}
