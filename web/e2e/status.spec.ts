import { type BrowserContext, expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { firstOfEach, SHELL_SCREENS } from "./screens.ts";
import { drawn, enterAs, newMember, newPassHolder, picture, untilDrawn } from "./world.ts";

const NEEDS_A_CONNECTION = "You are offline. This screen needs a connection.";
/** Contract N-8. */
const MAX_NOTICE_MS = 2000;
/** Screens without any data of the server. */
const LOCAL = ["/orders", "/backups"];

/** One wrong screen does not hide the next. */
const softly = expect.configure({ soft: true });
const area = (page: Page) => page.locator(".status-area");

/** Collect the shifts of the layout from now on, with what has moved. */
async function watchShifts(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as LayoutShift[]) {
        const moved = entry.sources
          .flatMap(({ node }) => (node instanceof Element ? node : (node?.parentElement ?? [])))
          .filter((element) => element.closest('[role="timer"]') === null); // its figures change
        if (moved.length > 0) {
          const names = moved.map(({ outerHTML }) => outerHTML.slice(0, 80));
          shifts.push(`${entry.value.toFixed(4)}: ${names.join(", ")}`);
        }
      }
    }).observe({ type: "layout-shift" });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
}

interface LayoutShift {
  value: number;
  sources: { node: Node | null }[];
}

/** Lose the network and get it back. */
async function through(page: Page, context: BrowserContext): Promise<void> {
  await context.setOffline(true);
  await expect(area(page).locator(".status-line")).toBeVisible();
  await drawn(page);
  await context.setOffline(false);
  await expect(area(page).locator(".status-line")).toBeHidden();
  await untilDrawn(page);
  await drawn(page);
}

test("going offline and back moves nothing on any screen @once", async ({ page, context }) => {
  const { email } = await newMember(page);
  await enterAs(page, email);
  await page.goto("/backups");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const first = await firstOfEach(page);
  for (const [pattern] of SHELL_SCREENS) {
    await test.step(pattern, async () => {
      await page.goto(pattern.replace(/:\w+/, (word) => first[word] ?? word));
      await page.waitForLoadState("networkidle");
      await untilDrawn(page);
      await page.evaluate(() => document.fonts.ready);
      await drawn(page);
      const shifts = await watchShifts(page);

      await through(page, context);

      softly(await shifts(), pattern).toEqual([]);
    });
  }
});

test("the area is as high with everything in it, and reserved where a clock runs @once", async ({
  page,
  context,
}) => {
  const { email } = await newMember(page);
  await enterAs(page, email);
  for (const [path, reserved] of [
    ["/trivia-questions", 36],
    ["/battle-zone", 36],
    ["/chats", 0],
    ["/", 0],
  ] as const) {
    await page.goto(path);
    await untilDrawn(page);
    expect((await area(page).boundingBox())?.height ?? 0, path).toBe(reserved);
    await context.setOffline(true);
    expect((await area(page).locator(".status-line").boundingBox())?.height, path).toBe(36);
    expect((await area(page).boundingBox())?.height ?? 0, path).toBe(reserved);
    await picture(page, `status${path.replaceAll("/", "-")}`);
    await context.setOffline(false);
  }
});

test("going offline in a battle moves no option @once", async ({ page, context }) => {
  await newPassHolder(page);
  await page.goto("/battle-zone");
  await page.getByRole("button", { name: "Enter Battle Ground" }).click();
  await expect(page.getByRole("timer")).toBeVisible();
  await untilDrawn(page);
  await page.evaluate(() => document.fonts.ready);
  const places = await watchOptions(page);

  await context.setOffline(true);
  await expect(area(page)).toContainText("Connecting...");
  await drawn(page);
  await context.setOffline(false);
  await expect(area(page).locator(".status-line")).toBeHidden();
  await drawn(page);

  expect(await places()).toHaveLength(1);
});

/** From now on, the different places of the first question's options, while it is asked. */
async function watchOptions(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const places = new Set<string>();
    Object.assign(window, { places });
    const asked = document.querySelector(".question-card h2")?.textContent;
    const look = () => {
      const isAsked = document.querySelector(".question-card h2")?.textContent === asked;
      if (!isAsked || document.querySelector('[role="timer"]') === null) {
        return;
      }
      const tops = [...document.querySelectorAll(".option")].map((option) =>
        Math.round(option.getBoundingClientRect().top),
      );
      places.add(tops.join());
      requestAnimationFrame(look);
    };
    look();
  });
  return () => page.evaluate(() => [...(window as unknown as { places: Set<string> }).places]);
}

test.describe("with the worker", () => {
  test.use({ serviceWorkers: "allow" });

  test("every screen that was never opened says so offline, and opens when the network is back @once", async ({
    page,
    context,
  }) => {
    const { email } = await newMember(page);
    await enterAs(page, email);
    await page.goto("/backups");
    await page.getByRole("heading", { level: 1 }).waitFor();
    const first = await firstOfEach(page);
    await page.evaluate(() => navigator.serviceWorker.register("/sw.js"));
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    let askedAt: number | null = null;
    page.on("request", () => {
      askedAt ??= Date.now();
    });

    for (const [pattern] of SHELL_SCREENS) {
      await test.step(pattern, async () => {
        const path = pattern.replace(/:\w+/, (word) => first[word] ?? word);
        await context.setOffline(true);
        await page.goto(path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        const sentence = page.locator("main").getByText(NEEDS_A_CONNECTION, { exact: true });
        const age = area(page).getByText(/^As of /);
        if (!LOCAL.includes(path)) {
          await softly(sentence.or(age).first(), path).toBeVisible();
        }

        askedAt = null;
        const backAt = Date.now();
        await context.setOffline(false);
        await softly(sentence, path).toHaveCount(0);
        await softly(area(page).locator(".status-line"), path).toBeHidden();
        if (!LOCAL.includes(path)) {
          softly((askedAt ?? Number.POSITIVE_INFINITY) - backAt, path).toBeLessThan(MAX_NOTICE_MS);
        }
        await untilDrawn(page);
      });
    }
  });
});
