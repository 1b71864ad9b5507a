import { solveChallengeWorkers } from "altcha-lib";
import type { Challenge } from "altcha-lib/types";
import { isRecord } from "@/lib/device/storage";

/** Enough for any phone; more workers would only compete with the page. */
const MAX_WORKERS = 4;

/** The challenge in a refusal's data, or null. */
export function challengeIn(data: unknown): Challenge | null {
  const challenge = isRecord(data) ? data["challenge"] : null;
  return isRecord(challenge) && isRecord(challenge["parameters"])
    ? (challenge as unknown as Challenge)
    : null;
}

/**
 * Solve a challenge off the page's thread; returns what `X-Challenge` takes, ALTCHA's payload.
 *
 * Throws if this browser cannot solve it.
 */
export async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: Math.min(MAX_WORKERS, navigator.hardwareConcurrency || 1),
    createWorker: () =>
      new Worker(new URL("./challenge-worker.ts", import.meta.url), { type: "module" }),
  });
  if (solution === null) {
    throw new Error("The challenge has no solution.");
  }
  return btoa(JSON.stringify({ challenge, solution }));
}
