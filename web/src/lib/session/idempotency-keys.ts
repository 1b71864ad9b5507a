import { isRecord, storedValue } from "@/lib/device/storage";
import { isDecided, NoAnswer, neverSent } from "@/lib/live/failures";

const STORAGE_KEY = "attempts";
const TRY_AGAIN = "We got no response. Try again: it will only be done once.";
/**
 * The maximum number of requests per purpose with an unknown outcome; older ones were abandoned.
 */
const MAX_UNDECIDED = 8;

/** A digest instead of the content, which has names and addresses in it. */
interface Attempt {
  key: string;
  digest: string;
}
type Attempts = Record<string, Attempt[]>;

const attempts = storedValue<Attempts>(STORAGE_KEY, (stored) =>
  isRecord(stored) && Object.values(stored).every(Array.isArray) ? (stored as Attempts) : null,
);

/**
 * The Idempotency-Key for doing `purpose` with `content`.
 *
 * It is stored before it is sent: after a lost response, a reload or a second click the same
 * request goes out under the same key and is carried out once. Other content is another request
 * with a new key; the first keeps its own until it is decided, so that returning to it is still the
 * same request.
 */
export function keyFor(purpose: string, content: unknown): string {
  const digest = digestOf(JSON.stringify(content));
  const undecided = attempts.read()?.[purpose] ?? [];
  const known = undecided.find((attempt) => attempt.digest === digest);
  if (known !== undefined) {
    return known.key;
  }
  const key = newKey();
  const kept = [...undecided, { key, digest }].slice(-MAX_UNDECIDED);
  attempts.write({ ...attempts.read(), [purpose]: kept });
  return key;
}

/**
 * Whether `purpose` was sent without a final answer yet; with `content`, whether exactly that was.
 *
 * Refetched data may already show the outcome. Until the request is decided its screen stays as it
 * is, so that pressing again gets the answer.
 */
export function isUndecided(purpose: string, content?: unknown): boolean {
  const undecided = attempts.read()?.[purpose] ?? [];
  const digest = content === undefined ? undefined : digestOf(JSON.stringify(content));
  return undecided.some((attempt) => digest === undefined || attempt.digest === digest);
}

/** Delete a key once the server has given its final answer. */
export function releaseKey(purpose: string, key: string): void {
  const { [purpose]: undecided = [], ...others } = attempts.read() ?? {};
  const left = undecided.filter((attempt) => attempt.key !== key);
  attempts.write(left.length > 0 ? { ...others, [purpose]: left } : others);
}

/** Two 32-bit FNV-1a sums of a text; the server compares the content itself under each key. */
function digestOf(text: string): string {
  return [0x811c9dc5, 0x9747b28c].map((start) => fnv1a(text, start).toString(16)).join("-");
}

function fnv1a(text: string, start: number): number {
  let sum = start;
  for (let index = 0; index < text.length; index += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  }
  return sum >>> 0;
}

/**
 * Do `purpose` with `content` once: a lost response, a reload or a second click sends the same key
 * again, until the request has succeeded or the server has refused.
 */
export async function once<T>(
  purpose: string,
  content: unknown,
  send: (idempotencyKey: string) => Promise<T>,
): Promise<T> {
  const key = keyFor(purpose, content);
  try {
    const answer = await send(key);
    releaseKey(purpose, key);
    return answer;
  } catch (error) {
    if (isDecided(error)) {
      releaseKey(purpose, key);
    }
    throw error instanceof NoAnswer && !neverSent(error)
      ? new NoAnswer(TRY_AGAIN, { cause: error })
      : error;
  }
}

/** A random UUID; `crypto.randomUUID` is missing on pages served without https. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}
