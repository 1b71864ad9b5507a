import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, type Page } from "@playwright/test";
import { newFan } from "./crowd.ts";
import { test } from "./fixtures.ts";
import { enterOffice, newOwner } from "./operators.ts";
import {
  call,
  expectEntries,
  LOCKED,
  OVERLAYS,
  type Overlay,
  prepareScreens,
  pressBack,
} from "./overlays.ts";
import { closeCallbackTabs, enterAs, newMember, untilDrawn } from "./world.ts";

/** What opens an overlay, and the files that only provide it. */
const OPENS = /<Modal\b|<ModalDialog\b|\buseOverlay\(|\bopenOverlay\(/;
const HOST = [
  "src/components/modal-dialog.tsx",
  "src/components/modal.tsx",
  "src/kit/dialogs.tsx",
  "src/lib/ui/overlays.ts",
  "src/lib/ui/use-overlay.ts",
];

function filesThatOpenOverlays(): string[] {
  return ["src", "admin/src"]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
        path.posix.join(folder, name.replaceAll("\\", "/")),
      ),
    )
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name) && !HOST.includes(name))
    .filter((name) => OPENS.test(readFileSync(name, "utf8")));
}

test("every overlay of the app is in the list that the browser goes through @once", () => {
  const listed = Object.values(OVERLAYS).flatMap((group) => group.map(({ file }) => file));
  expect([...listed, ...LOCKED].toSorted()).toEqual(filesThatOpenOverlays().toSorted());
});

/** Open each overlay and press Back: it closes, and the screen stays. */
async function expectBackToClose(page: Page, overlays: readonly Overlay[]): Promise<void> {
  for (const { file, open } of overlays) {
    await test.step(file, async () => {
      const overlay = await open(page);
      await expect(overlay).toBeVisible();
      const { pathname } = new URL(page.url());

      await pressBack(page, 1);

      await expect(overlay).toBeHidden();
      expect(new URL(page.url()).pathname).toBe(pathname);
    });
  }
}

/** A member who may leave a screen with unsaved input by an address. */
async function enterAsNewMember(page: Page): Promise<string> {
  closeCallbackTabs(page);
  page.on("dialog", (question) => void question.accept());
  const { email } = await newMember(page);
  await enterAs(page, email);
  return email;
}

test("Back closes the overlays of the screens @once", async ({ page }) => {
  const email = await enterAsNewMember(page);
  await prepareScreens(page, email);
  await expectBackToClose(page, OVERLAYS.screens);
});

test("Back closes the overlays of the moments @once", async ({ page }) => {
  await enterAsNewMember(page);
  await expectBackToClose(page, OVERLAYS.moments);
});

test("Back closes the overlays of the games @once", async ({ page }) => {
  await enterAsNewMember(page);
  await expectBackToClose(page, OVERLAYS.games);
});

test("Back closes the overlays of the chat @once", async ({ page }) => {
  const { email } = await newFan(page.request);
  await enterAs(page, email);
  await expectBackToClose(page, OVERLAYS.chat);
});

test("Back closes the overlays of the back office @once", async ({ page }) => {
  const operator = await newOwner(page.request);
  await enterOffice(page, operator);
  await expectBackToClose(page, OVERLAYS.office);
});

test("several overlays close one at a time, then Back leaves @once", async ({ page }) => {
  await enterAsNewMember(page);
  await page.goto("/calendar");
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("link", { name: "Wallet", exact: true }).click();
  await page.getByRole("button", { name: "Fund Wallet" }).click();
  const amount = page.getByRole("dialog", { name: "Fund Wallet" });
  await amount.getByLabel("Amount").fill("5000");
  await amount.getByRole("button", { name: "Close", exact: true }).click();
  const question = page.getByRole("dialog", { name: "Discard your changes?" });
  await expect(question).toBeVisible();

  await pressBack(page, 2);
  await expect(question).toBeHidden();
  await expect(amount).toBeVisible();
  await amount.getByLabel("Amount").fill("");
  await pressBack(page, 1);
  await expect(amount).toBeHidden();
  await expect(page).toHaveURL(/\/wallet$/);
  await pressBack(page, 0);
  await expect(page).toHaveURL(/\/calendar$/);
  await expect(page.getByRole("button", { name: "Close menu" })).toBeHidden();
});

test("Back passes what was closed otherwise, reloaded or gone forward to @once", async ({
  page,
}) => {
  await enterAsNewMember(page);
  await page.goto("/calendar");
  await page.getByRole("link", { name: "Home", exact: true }).click();
  const open = async () => {
    await untilDrawn(page);
    await page.getByRole("button", { name: "Fund Wallet" }).click();
    await expect(amount).toBeVisible();
    await expectEntries(page, 1);
  };
  const amount = page.getByRole("dialog", { name: "Fund Wallet" });

  await open();
  await page.keyboard.press("Escape");
  await expect(amount).toBeHidden();
  await open();
  await amount.getByRole("button", { name: "Close", exact: true }).click();
  await expect(amount).toBeHidden();
  await open();
  await page.goBack();
  await expect(amount).toBeHidden();
  await page.goForward();
  await expect(amount).toBeHidden();
  await open();
  await page.reload();
  await untilDrawn(page);
  await expect(amount).toBeHidden();

  await page.goBack();
  await expect(page).toHaveURL(/\/calendar$/);
});

test("a link that opens a dialog can be closed with Back, and opened again @once", async ({
  page,
}) => {
  await enterAsNewMember(page);
  await page.goto("/calendar");
  const plans = await call(page, "GET", "subscription");
  await page.goto(`/subscriptions?plan=${plans[0].id}`);
  const details = page.getByRole("dialog", { name: "Subscription Details" });
  await expect(details).toBeVisible();

  await pressBack(page, 1);

  await expect(details).toBeHidden();
  await expect(page).toHaveURL(/\/subscriptions/);
  await page.getByRole("button", { name: "Subscribe" }).first().click();
  await expect(details).toBeVisible();
  await pressBack(page, 1);
  await expect(details).toBeHidden();
  await pressBack(page, 0);
  await expect(page).toHaveURL(/\/calendar$/);
});

test("Back asks before unsaved input is lost @once", async ({ page }) => {
  await enterAsNewMember(page);
  await page.goto("/posts");
  await page.getByRole("button", { name: "Upload Content" }).first().click();
  const form = page.getByRole("dialog", { name: "Post Your Moment." });
  await form.getByLabel("Title").fill("The goal");
  const question = page.getByRole("dialog", { name: "Discard your changes?" });

  await pressBack(page, 1);
  await expect(question).toBeVisible();
  await pressBack(page, 2);
  await expect(question).toBeHidden();
  await expect(form.getByLabel("Title")).toHaveValue("The goal");

  await pressBack(page, 1);
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(form).toBeHidden();
  await expect(page).toHaveURL(/\/posts$/);
});

test("Back does not close the question about new terms @once", async ({ page }) => {
  await enterAsNewMember(page);
  await page.route("**/api/v1/users/*", async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    const legal = { ...data.legal, accepted: null, mustAccept: true };
    await route.fulfill({ response, json: { ...rest, data: { ...data, legal } } });
  });
  await page.goto("/calendar");
  const question = page.getByRole("dialog", { name: "Our terms have changed" });
  await expect(question).toBeVisible();

  await pressBack(page, 1);

  await expectEntries(page, 1);
  await expect(question).toBeVisible();
  await expect(page).toHaveURL(/\/calendar$/);
});

test("an address opens although a dialog has just closed @once", async ({ page }) => {
  await enterAsNewMember(page);
  await page.goto("/wallet");
  const amount = page.getByRole("dialog", { name: "Fund Wallet" });
  for (const _each of [1, 2, 3]) {
    await page.getByRole("button", { name: "Fund Wallet" }).first().click();
    await expectEntries(page, 1);

    await amount.getByRole("button", { name: "Close", exact: true }).click();
    await page.goto("/calendar");

    await untilDrawn(page);
    await page.goBack();
    await expect(page).toHaveURL(/\/wallet$/);
    await untilDrawn(page);
  }
});
