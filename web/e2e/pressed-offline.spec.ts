import { type BrowserContext, expect, type Page } from "@playwright/test";
import { recordedClip } from "./clips.ts";
import { test } from "./fixtures.ts";
import {
  dismiss,
  enterAs,
  fillAddress,
  fillSignUp,
  newMember,
  newPerson,
  PASSWORD,
  untilStill,
} from "./world.ts";

const OFFLINE = "You are offline. Nothing was sent. Try again when you are connected.";
/** Longer than pending queries take to notice that the network is back. */
const UNSEEN_WINDOW_MS = 3000;

/** Press without a network: the error is there at once, and nothing is sent later. */
async function pressOffline(
  page: Page,
  context: BrowserContext,
  press: () => Promise<void>,
): Promise<void> {
  const posted: string[] = [];
  const note = (request: { method: () => string; url: () => string }) => {
    const isWrite = request.method() !== "GET" && request.url().includes("/api/");
    if (isWrite && !request.url().includes("/client-errors")) {
      posted.push(request.url());
    }
  };
  await context.setOffline(true);
  page.on("request", note);
  await press();
  const toast = page.locator(".toast", { hasText: OFFLINE });
  await expect(toast).toHaveCount(1);
  await dismiss(toast);
  await context.setOffline(false);
  await page.clock.runFor(UNSEEN_WINDOW_MS);
  await page.evaluate(() => fetch("/healthz")); // earlier requests have been recorded
  page.off("request", note);
  expect(posted).toEqual([]);
}

test("what a member presses without a network is told at once and never sent later @once", async ({
  page,
  context,
}) => {
  const { email } = await newMember(page);
  await page.clock.install();
  await enterAs(page, email);

  await test.step("fund", async () => {
    await page.goto("/wallet");
    await page.getByRole("button", { name: "Fund Wallet" }).click();
    const modal = page.getByRole("dialog", { name: "Fund Wallet" });
    await modal.getByLabel("Amount").fill("1000");
    await pressOffline(page, context, () =>
      modal.getByRole("button", { name: "Fund Wallet" }).click(),
    );
  });

  await test.step("subscribe", async () => {
    await page.goto("/subscriptions");
    await page.getByRole("button", { name: "Subscribe" }).first().click();
    const details = page.getByRole("dialog", { name: "Subscription Details" });
    const fundAndSubscribe = details.getByRole("button", { name: /^Fund ₦.* and subscribe$/ });
    await expect(fundAndSubscribe).toBeVisible();
    await untilStill(details);
    const before = await fundAndSubscribe.boundingBox();
    await pressOffline(page, context, async () => {
      await fundAndSubscribe.click();
      await expect(page.locator(".toast")).toBeVisible();
      // Data that loads does not move the button.
      expect(await fundAndSubscribe.boundingBox()).toEqual(before);
    });
  });

  await test.step("complete the order", async () => {
    await page.goto("/products");
    const products = page.getByRole("region", { name: "All products" });
    await products.getByRole("button", { name: "Add to cart: Club Scarf" }).click();
    await page.goto("/checkout");
    await fillAddress(page);
    await pressOffline(page, context, () =>
      page.getByRole("button", { name: "Complete Order", exact: true }).click(),
    );
  });

  await test.step("submit the quest", async () => {
    await page.goto("/trivia-questions");
    await expect(page.getByText("1 of 5")).toBeVisible();
    await page.keyboard.press("1");
    for (let pressed = 0; pressed < 4; pressed += 1) {
      await page.getByRole("button", { name: "Next" }).click();
    }
    await page.getByRole("button", { name: "Submit" }).click();
    const modal = page.getByRole("dialog", { name: "Submit your answers" });
    await pressOffline(page, context, () => modal.getByRole("button", { name: "Submit" }).click());
  });

  await test.step("upload a moment", async () => {
    await page.goto("/posts");
    await page.getByRole("button", { name: "Upload Content" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Post Your Moment." });
    await dialog.getByLabel("Title").fill("The goal");
    await dialog.locator('[data-field="video"] input').setInputFiles(await recordedClip(page));
    await dialog.getByRole("button", { name: "From the video" }).click();
    await expect(dialog.getByAltText("The thumbnail you picked")).toBeVisible();
    await pressOffline(page, context, () => dialog.getByRole("button", { name: "Upload" }).click());
  });

  await test.step("save the profile", async () => {
    await page.goto("/profile");
    await page.getByLabel("First name").first().fill("Adaeze");
    await pressOffline(page, context, () =>
      page.getByRole("button", { name: /^Save/ }).first().click(),
    );
  });

  await test.step("a chat message waits in sight", async () => {
    const text = `From the tunnel ${crypto.randomUUID()}`;
    await page.goto("/chats");
    await expect(page.getByRole("tab", { name: /\d online/ }).first()).toBeVisible();
    await context.setOffline(true);
    await page.getByPlaceholder("Type a message...").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
    const row = page.getByRole("log").locator(".chat-message", { hasText: text });
    await expect(row).toBeVisible();
    await expect(row.getByRole("img", { name: "Sent" })).toHaveCount(0);
    await context.setOffline(false);
    await expect(row.getByRole("img", { name: "Sent" })).toBeVisible();
  });
});

test("a visitor who signs in or up without a network is told at once and may try again @once", async ({
  page,
  context,
}) => {
  await page.clock.install();
  await page.goto("/signin");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await pressOffline(page, context, () => page.getByRole("button", { name: "Login" }).click());
  await expect(page.getByRole("button", { name: "Login" })).toBeEnabled();

  const person = newPerson("offline");
  await page.goto("/signup");
  await fillSignUp(page, person);
  await pressOffline(page, context, () => page.getByRole("button", { name: "Sign Up" }).click());
  await expect(page.getByRole("button", { name: "Sign Up" })).toBeEnabled();
});
