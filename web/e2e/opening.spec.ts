import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { firstOfEach, SHELL_SCREENS } from "./screens.ts";
import { enterAs, newMember } from "./world.ts";

/** The maximum shift of an element when the screen replaces its skeleton, in pixels. */
const MAX_SHIFT = 4;
/** The top of the bottom bar: elements that end below it are not in the first view. */
const FOLD = 676;

/** One wrong screen does not hide the next. */
const softly = expect.configure({ soft: true });

interface Part {
  top: number;
  bottom: number;
}

function boxesOf(page: Page, selector: string): Promise<Part[]> {
  return page.evaluate(
    (all) =>
      [...document.querySelectorAll(all)].map((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return { top, bottom };
      }),
    selector,
  );
}

/** The skeleton's parts that the screen did not replace; below the fold only the top counts. */
async function strayBoxes(page: Page, boxes: Part[]): Promise<string[]> {
  const drawn = await boxesOf(page, "main *");
  const isNear = (one: number, other: number) => Math.abs(one - other) <= MAX_SHIFT;
  const isTaken = ({ top, bottom }: Part) =>
    drawn.some(
      (each) =>
        isNear(each.top, top) &&
        (isNear(each.bottom, bottom) || (bottom > FOLD && each.bottom > FOLD)),
    );
  return boxes
    .filter(({ top }) => top < FOLD)
    .filter((part) => !isTaken(part))
    .map(({ top, bottom }) => `${Math.round(top)} to ${Math.round(bottom)}`);
}

test("what stands in a screen's place is as high as what follows, and the footer stays @once", async ({
  page,
}) => {
  const { email } = await newMember(page);
  await enterAs(page, email);
  await page.goto("/backups");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const first = await firstOfEach(page);

  for (const [pattern, name] of SHELL_SCREENS) {
    await test.step(pattern, async () => {
      const path = pattern.replace(/:\w+/, (word) => first[word] ?? word);
      const script = new RegExp(`/assets/${name}-.+\\.js`);
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(script, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(path, { waitUntil: "commit" });
      await expect(page.locator("main .screen-skeleton")).toBeVisible();
      const boxes = await boxesOf(page, "main .screen-skeleton > *");
      const [footer] = await boxesOf(page, ".page-footer");
      expect(footer?.top ?? 0).toBeGreaterThanOrEqual(FOLD);

      release();
      await expect(page.locator("main .screen-skeleton")).toHaveCount(0);
      const stray = () => strayBoxes(page, boxes);
      await softly.poll(stray, { message: path }).toEqual([]);
      await page.unroute(script);
    });
  }
});

test("the bar is two pixels high and stands while a screen is fetched @once", async ({ page }) => {
  const { email } = await newMember(page);
  await enterAs(page, email);
  await page.goto("/backups");
  await page.getByRole("heading", { level: 1, name: "Backups" }).waitFor();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/settings-screen-.+\.js/, async (route) => {
    await held;
    await route.continue();
  });

  await page.evaluate(() => {
    history.pushState(null, "", "/settings");
    dispatchEvent(new PopStateEvent("popstate"));
  });

  const bar = page.locator(".opening-bar");
  await expect(bar).toBeVisible();
  expect((await bar.boundingBox())?.height).toBe(2);
  release();
  await expect(page.getByRole("heading", { name: "Contact" })).toBeVisible();
  await expect(bar).toHaveCount(0);
});
