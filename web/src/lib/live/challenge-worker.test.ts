import type { Challenge, Solution } from "altcha-lib/types";
import { expect, test, vi } from "vitest";

/** Made by the server's code, with less work than a real one. */
const CHALLENGE: Challenge = {
  parameters: {
    algorithm: "PBKDF2/SHA-256",
    cost: 200,
    keyLength: 32,
    keyPrefix: "38113876e3e3174aec8afb0d1f493b53",
    nonce: "852045c46cd31fb6c2944f8240a54212",
    salt: "6f938888dae12be98358550cb08bea38",
    keySignature: "ee45c5e1eb8408a1451c2ea6d7e59d460fa2e73608b3dd58e0b5fbf2d6e81159",
    expiresAt: 4_102_445_400,
    data: { purpose: "sign-up", level: 1 },
  },
  signature: "c83f35f2f46b19f698ba4e17c204705d8974af7c7324f6416e7a626b84270dec",
};

test("the worker solves a challenge of the server's", async () => {
  const scope: { onmessage?: (event: { data: unknown }) => void; postMessage?: unknown } = {};
  const solved = new Promise<Solution>((resolve) => {
    scope.postMessage = resolve;
  });
  vi.stubGlobal("self", scope);
  await import("@/lib/live/challenge-worker");

  scope.onmessage?.({
    data: { type: "work", challenge: CHALLENGE, counterStart: 0, counterStep: 1 },
  });

  const { counter, derivedKey } = await solved;
  expect(derivedKey.startsWith(CHALLENGE.parameters.keyPrefix)).toBe(true);
  expect(derivedKey).toHaveLength(64);
  expect(counter).toBeGreaterThan(10);
  expect(counter).toBeLessThanOrEqual(20);
  vi.unstubAllGlobals();
});
