import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { firstOfEach, SHELL_SCREENS } from "./screens.ts";
import { textFaults } from "./text-faults.ts";
import { enterAs, newMember, untilDrawn } from "./world.ts";

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
  await page.evaluate(() => document.fonts.ready);
  if (process.env["SHOTS"]) {
    await page.screenshot({ path: `${process.env["SHOTS"]}/${name.replaceAll("/", "_")}.png`, fullPage: !name.includes("tsx") });
  }
  softly(await textFaults(page), name).toEqual([]);
}

test("at twice the text size nothing is cut off or covered on any screen @once", async ({ page }) => {
  await enlargeText(page);
  for (const path of PUBLIC) {
    await page.goto(path);
    await expectNoFaults(page, path);
  }
  const { email } = await newMember(page);
  await enterAs(page, process.env["AS"] ?? email);
  await page.goto("/backups");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const first = await firstOfEach(page);
  for (const [pattern] of SHELL_SCREENS) {
    await page.goto(pattern.replace(/:\w+/, (word) => first[word] ?? word));
    await expectNoFaults(page, pattern);
  }
});
