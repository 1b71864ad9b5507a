import { vi } from "vitest";

/** A passing test never waits that long; one second is too short on a busy machine. */
export const MAX_WAIT_MS = 60_000;

/** Wait until `isTrue` no longer throws, also with fake timers. */
export function soon(isTrue: () => void): Promise<void> {
  return vi.waitFor(isTrue, MAX_WAIT_MS);
}
