import { expect } from "@playwright/test";
import { createChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/web/pbkdf2";
import { test } from "./fixtures.ts";
import { newMember, PASSWORD } from "./world.ts";

const SIGN_IN = "/api/v1/sign-in/username-password";

/** The hardest work of level 1, as the server's `api/foundation/security/challenges.py` gives it. */
const challenge = () =>
  createChallenge({
    algorithm: "PBKDF2/SHA-256",
    cost: 2_000,
    counter: 200,
    deriveKey,
    expiresAt: new Date(Date.now() + 600_000),
    hmacSignatureSecret: "only the server checks it",
  });

test("the page's policy lets its own worker solve a challenge, and the member gets in @once", async ({
  page,
}) => {
  const { email } = await newMember(page);
  const solutions: string[] = [];
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|Refused/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  await page.route(SIGN_IN, async (route) => {
    const solution = await route.request().headerValue("X-Challenge");
    if (solution !== null) {
      solutions.push(solution);
      await route.continue();
      return;
    }
    await route.fulfill({
      status: 428,
      json: {
        status: 428,
        message: "Your network is busy. Please wait while we check your connection.",
        data: { challenge: await challenge() },
        error: { code: "challenge_required", fields: {}, requestId: "e2e" },
      },
    });
  });
  await page.goto("/signin");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  const worker = page.waitForEvent("worker");

  await page.getByRole("button", { name: "Login" }).click();

  expect(new URL((await worker).url()).origin).toBe(new URL(page.url()).origin);
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  expect(complaints).toEqual([]);
  expect(solutions).toHaveLength(1);
  const { solution } = JSON.parse(atob(solutions[0] ?? ""));
  expect(solution.counter).toBe(200);
});
