import { isDecided, NoAnswer, OFFLINE } from "@/lib/failures";
import { isRecord, storedValue } from "@/lib/storage";

const STORAGE_KEY = "attempts";
const TRY_AGAIN = "We did not hear back. Try again: it will only be done once.";
type Attempts = Record<string, { key: string; content: string }>;

const attempts = storedValue<Attempts>(STORAGE_KEY, (stored) =>
  isRecord(stored) ? (stored as Attempts) : null,
);

/**
 * The Idempotency-Key for doing `purpose` with `content`.
 *
 * It is stored before it is sent: after a lost answer, a reload or a second click the same wish
 * goes out under the same key and happens once. Other content is another wish and gets a new key.
 */
export function attemptKey(purpose: string, content: unknown): string {
  const text = JSON.stringify(content);
  const known = attempts.read()?.[purpose];
  if (known?.content === text) {
    return known.key;
  }
  const key = newKey();
  attempts.write({ ...attempts.read(), [purpose]: { key, content: text } });
  return key;
}

/** Forget the key once the server has given its final answer. */
export function attemptEnded(purpose: string): void {
  const { [purpose]: _ended, ...others } = attempts.read() ?? {};
  attempts.write(others);
}

/**
 * Does `purpose` with `content` once: a lost answer, a reload or a second click sends the same key
 * again, until a success was read or the server has refused.
 */
export async function once<T>(
  purpose: string,
  content: unknown,
  send: (idempotencyKey: string) => Promise<T>,
): Promise<T> {
  try {
    const answer = await send(attemptKey(purpose, content));
    attemptEnded(purpose);
    return answer;
  } catch (error) {
    if (isDecided(error)) {
      attemptEnded(purpose);
    }
    throw error instanceof NoAnswer && error.message !== OFFLINE
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
