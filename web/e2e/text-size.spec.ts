import { expect, type Page } from "@playwright/test";
import { newFan } from "./crowd.ts";
import { test } from "./fixtures.ts";
import { OVERLAYS, type Overlay, prepareScreens, pressBack } from "./overlays.ts";
import { firstOfEach, SHELL_SCREENS } from "./screens.ts";
import { textFaults } from "./text-faults.ts";
import { closeCallbackTabs, enterAs, newMember, newPassHolder, untilDrawn } from "./world.ts";

const PUBLIC = ["/signin", "/signup", "/activate-account/x", "/forgot-password", "/reset-password"];

/** One wrong screen does not hide the next. */
const softly = expect.configure({ soft: true });

/** Open every page with text of twice the usual size. */
async function enlargeText(page: Page): Promise<void> {
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      document.documentElement.style.fontSize = "32px";
    });
  });
}

/** Expect that every text and control can be read and tapped. */
async function expectNoFaults(page: Page, name: string): Promise<void> {
  await untilDrawn(page);
  await expect(page.locator('main [role="status"][aria-label^="Loading"]')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
  softly(await textFaults(page), name).toEqual([]);
}

test("at twice the text size nothing is cut off or covered on any screen @once", async ({
  page,
}) => {
  await enlargeText(page);
  for (const path of PUBLIC) {
    await page.goto(path);
    await expectNoFaults(page, path);
  }
  const { email } = await newMember(page);
  await enterAs(page, email);
  await page.goto("/backups");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const first = await firstOfEach(page);
  for (const [pattern] of SHELL_SCREENS) {
    await page.goto(pattern.replace(/:\w+/, (word) => first[word] ?? word));
    await expectNoFaults(page, pattern);
  }
});

/** Open each overlay, check it, and leave it with Back. */
async function expectNoFaultsIn(page: Page, overlays: readonly Overlay[]): Promise<void> {
  closeCallbackTabs(page);
  page.on("dialog", (question) => void question.accept());
  for (const { file, open } of overlays) {
    await test.step(file, async () => {
      const overlay = await open(page);
      await expect(overlay).toBeVisible();
      await expectNoFaults(page, file);
      await pressBack(page, 1);
      await expect(overlay).toBeHidden();
    });
  }
}

test("at twice the text size nothing is cut off in the dialogs of the screens @once", async ({
  page,
}) => {
  await enlargeText(page);
  const { email } = await newMember(page);
  await enterAs(page, email);
  await prepareScreens(page, email);
  // The checkout is a page of the payment provider.
  const ours = OVERLAYS.screens.filter(({ file }) => !file.endsWith("checkout-provider.ts"));
  await expectNoFaultsIn(page, ours);
});

test("at twice the text size nothing is cut off in the dialogs of moments and games @once", async ({
  page,
}) => {
  await enlargeText(page);
  const { email } = await newMember(page);
  await enterAs(page, email);
  await expectNoFaultsIn(page, [...OVERLAYS.moments, ...OVERLAYS.games]);
});

test("at twice the text size nothing is cut off at the door of the battle @once", async ({
  page,
}) => {
  await enlargeText(page);
  await newPassHolder(page);
  await page.goto("/battle-zone");
  await expect(page.getByRole("button", { name: "Enter Battle Ground" })).toBeVisible();
  await expectNoFaults(page, "/battle-zone with a plan");
});

test("at twice the text size nothing is cut off in the dialogs of the chat @once", async ({
  page,
}) => {
  await enlargeText(page);
  const { email } = await newFan(page.request);
  await enterAs(page, email);
  await expectNoFaultsIn(page, OVERLAYS.chat);
});
