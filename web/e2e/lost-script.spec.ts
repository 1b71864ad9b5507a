import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { SHELL_SCREENS } from "./screens.ts";
import { enterAs, expectNoSidewaysScroll, newMember } from "./world.ts";

/** With an id for each placeholder: what is missing is the script. */
const SCREENS = SHELL_SCREENS.filter(([path]) => path !== "/").map(
  ([path, name]) => [path.replace(/:\w+/, "1"), name] as const,
);

/** The app believes that it is offline, so that it does not wait between retries. */
const failure = (page: Page) =>
  page.locator("main").getByText("You are offline. This screen needs a connection.");
const bar = (page: Page) => page.getByRole("navigation", { name: "Shortcuts" });

/** Lose the script and follow a link, without reloading the page. */
async function openWithout(page: Page, path: string, script: RegExp): Promise<void> {
  await page.route(script, (route) => route.abort());
  await page.evaluate((to) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
  }, path);
  await expect(failure(page)).toBeVisible();
  await expect(bar(page)).toBeVisible();
  await expect(page.getByRole("banner")).toBeVisible();
  await page.unroute(script);
}

test("a screen whose script is lost keeps the menu, and opens on three ways @once", async ({
  page,
}) => {
  const { email } = await newMember(page);
  await enterAs(page, email);
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "onLine", {
      configurable: true,
      get: () => !("lost" in window),
    });
  });
  const lose = () => page.evaluate(() => Object.assign(window, { lost: true }));
  const find = () => page.evaluate(() => Reflect.deleteProperty(window, "lost"));

  for (const [at, [path, name]] of SCREENS.entries()) {
    await test.step(path, async () => {
      await page.goto("/");
      await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
      await lose();
      await openWithout(page, path, new RegExp(`/assets/${name}-`));
      if (at % 3 === 0) {
        await find();
        await page.getByRole("button", { name: "Try again" }).click();
      } else if (at % 3 === 1) {
        await find();
        await page.evaluate(() => dispatchEvent(new Event("online")));
      } else {
        await page.goBack();
        await expect(page.getByText("Welcome,")).toBeVisible();
        await find();
        await page.goForward();
      }
      await expect(failure(page)).toHaveCount(0);
      await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Dashboard");
      await expect(page).toHaveURL(path);
    });
  }
});

test("a style sheet that is lost is asked for again before its screen shows @once", async ({
  page,
}) => {
  await enterAs(page, (await newMember(page)).email);
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  const asked: string[] = [];
  await page.route(/\/assets\/[\w-]+\.css/, (route) => {
    const { pathname } = new URL(route.request().url());
    asked.push(pathname);
    return asked.indexOf(pathname) === asked.length - 1 ? route.abort() : route.continue();
  });

  await bar(page).getByRole("link", { name: "Matches" }).click();

  await expect(page.getByRole("heading", { level: 1, name: "Matches" })).toBeVisible();
  await expect(page.getByRole("group", { name: "What to see" })).toBeVisible();
  expect(new Set(asked).size).toBeGreaterThan(0);
  expect(asked.length).toBeGreaterThanOrEqual(2 * new Set(asked).size);
  const unstyled = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
      .filter(({ sheet }) => sheet === null)
      .map(({ href }) => href),
  );
  expect(unstyled).toEqual([]);
});

test("a page whose own script is lost says so, and opens when it is tried again @once", async ({
  page,
}) => {
  const first = /\/assets\/first-[\w-]+\.js/;
  await page.route(first, (route) => route.abort());
  await page.goto("/signin");
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("The app did not open.");

  await page.unroute(first);
  await alert.getByRole("button", { name: "Try again" }).click();

  await expect(page.getByRole("button", { name: "Login" })).toBeVisible();
});

test("without the script that moves the news they are leafed through, and the page stays @once", async ({
  page,
}) => {
  await enterAs(page, "ada@example.com");
  await page.route(/\/assets\/embla-/, (route) => route.abort());

  await page.goto("/news");

  await expect(page.getByRole("heading", { name: "Latest news" })).toBeVisible();
  await expectNoSidewaysScroll(page);
  expect(await page.evaluate(() => innerWidth)).toBe(360);
});
