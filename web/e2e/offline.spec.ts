import { type BrowserContext, expect, type Page } from "@playwright/test";
import { changingServer } from "./changing-server.ts";
import { test } from "./fixtures.ts";
import { enterAs, newMember, PASSWORD } from "./world.ts";

test.use({ serviceWorkers: "allow" });
test.describe.configure({ timeout: 120_000 });

/** Open Home and wait until the worker has loaded everything and serves this page. */
async function withWorker(page: Page, address = "/"): Promise<void> {
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, {
    timeout: 40_000,
  });
}

/** The names of the databases that this phone has. */
function databases(page: Page): Promise<(string | undefined)[]> {
  return page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
}

/** What the member's database holds, as one text. */
function keptText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const [first] = await indexedDB.databases();
    if (first?.name === undefined) {
      return "";
    }
    const name = first.name;
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const all = await new Promise<unknown[]>((resolve) => {
      const request = database.transaction("answers").objectStore("answers").getAll();
      request.onsuccess = () => resolve(request.result);
    });
    database.close();
    return JSON.stringify(all);
  });
}

/** The address of every file in the worker's caches. */
function cachedPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const found: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      found.push(...(await cache.keys()).map(({ url }) => new URL(url).pathname));
    }
    return found;
  });
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto("/signin");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByRole("button", { name: "Login" }).waitFor();
}

/** Chromium forgets an emulated loss with a reload where a worker serves the page: it is told so. */
async function reloadOffline(page: Page, context: BrowserContext): Promise<void> {
  await context.setOffline(true);
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, "onLine", { get: () => false }),
  );
  await page.reload();
}

const balance = (page: Page) => page.locator(".wallet-balance");

test("without a network a reload shows the dashboard with the last figures @once", async ({
  page,
  context,
}) => {
  await enterAs(page, "ada@example.com");
  await withWorker(page);
  await page.goto("/wallet"); // its script is on the phone from now on, its statement never
  await page.getByRole("heading", { name: "Statement" }).waitFor();
  await page.goto("/");
  await balance(page).getByText("₦").waitFor();
  const seen = await balance(page).innerText();
  expect(seen).toMatch(/^₦/);
  await expect.poll(() => keptText(page)).toContain("statistics");

  await reloadOffline(page, context);

  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  await expect(balance(page)).toHaveText(seen);
  await expect(page.locator(".member-points .numeral")).toHaveText(/^[\d,]+$/);
  await expect(page.getByText("You are offline. We will carry on")).toBeVisible();
  await expect(page.getByText(/^As of \d/).first()).toBeVisible();
  await page.goto("/wallet");
  await expect(
    page.getByText("You are offline. This screen needs a connection.").first(),
  ).toBeVisible();
  await context.setOffline(false);
});

test("without a network the chat shows its last messages after a reload @once", async ({
  page,
  context,
}) => {
  const { email } = await newMember(page);
  await enterAs(page, email);
  await withWorker(page, "/chats");
  const text = `Seen before the tunnel ${Date.now()}`;
  const field = page.getByPlaceholder("Type a message...");
  await field.fill(text);
  await field.press("Enter");
  await expect(page.getByText(text)).toBeVisible();
  await expect.poll(() => keptText(page)).toContain(text);

  await reloadOffline(page, context);

  await expect(page.getByText(text)).toBeVisible();
  await expect(page.getByText("Couldn't load messages.")).toHaveCount(0);
  await context.setOffline(false);
});

test("without a network the notifications are shown as they were last @once", async ({
  page,
  context,
}) => {
  await enterAs(page, "ada@example.com");
  await withWorker(page, "/notifications");
  const told = page.getByRole("region", { name: "Latest" });
  await expect(told.locator(".notification, .empty-state").first()).toBeVisible();
  const seen = await told.locator(".notification").allTextContents();
  await expect.poll(() => keptText(page)).toContain('\\"notifications\\"');

  await reloadOffline(page, context);

  await expect(told.getByText(/^As of \d/)).toBeVisible();
  await expect(told.locator(".notification")).toHaveText(seen);
  await context.setOffline(false);
});

test("answers and videos are never in the cache, and nothing but the list is kept @once", async ({
  page,
}) => {
  await enterAs(page, "ada@example.com");
  await withWorker(page);
  for (const address of [
    "/settings",
    "/wallet",
    "/profile",
    "/posts",
    "/leaderboard",
    "/shopping",
  ]) {
    await page.goto(address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect(page.locator(".spinner:visible, .skeleton:visible")).toHaveCount(0);
  }
  await page.waitForTimeout(1500); // what is kept is written a second after it came

  const paths = await cachedPaths(page);
  expect(paths).toContain("/");
  expect(paths.filter((each) => /^\/assets\/settings-page-.+\.js$/.test(each))).toHaveLength(1);
  expect(paths.filter((each) => !/^\/(?:$|assets\/|icons\/|favicon|manifest)/.test(each))).toEqual(
    [],
  );
  const kept = await keptText(page);
  expect(kept).toContain("leaderboard");
  expect(kept).not.toContain("ada@example.com");
  for (const never of ["statement", "profile", "sessions", "orders", "userToken"]) {
    expect(kept).not.toContain(`\\"${never}\\"`);
  }
});

test("whoever signs out leaves nothing, and the next member finds nothing of theirs @once", async ({
  page,
  context,
}) => {
  const { email } = await newMember(page);
  const next = await newMember(page);
  await signIn(page, email);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, {
    timeout: 40_000,
  });
  await expect.poll(() => keptText(page)).toContain("statistics");
  const second = await context.newPage();
  await second.goto("/");
  await second.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();

  // At once after the opening: both pages have answers that are not written yet.
  await page.reload();
  await balance(page).getByText("₦").waitFor();
  await logOut(page);

  expect(await databases(page)).toEqual([]); // before the sign-in shows
  await second.getByRole("button", { name: "Login" }).waitFor();
  await page.waitForTimeout(3000);
  expect(await databases(page)).toEqual([]);
  // These two are the browser's, whoever signs in there.
  expect((await page.evaluate(() => Object.keys(localStorage))).sort()).toEqual([
    "browser-id",
    "first-use",
  ]);
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual(["pages-of-the-left"]);

  await signIn(page, next.email);
  await expect.poll(() => keptText(page)).toContain("statistics");
  expect(await databases(page)).toHaveLength(1);
  await reloadOffline(page, context);
  await expect(page.getByText("Welcome,")).toBeVisible();
  expect(await keptText(page)).not.toContain(email);
  await context.setOffline(false);
});

test("an answer that is on its way when the member signs out brings nothing back @once", async ({
  page,
}) => {
  const { email } = await newMember(page);
  await enterAs(page, email);
  await withWorker(page); // it is from then on that last data is read at once
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isAsked = false;
  await page.route("**/api/v1/dashboard/statistics/**", async (route) => {
    isAsked = true;
    await held;
    await route.continue().catch(() => undefined);
  });
  await page.reload();
  await balance(page).getByText("₦").waitFor();
  await expect.poll(() => isAsked).toBe(true);
  await logOut(page);
  release();

  await page.waitForTimeout(2500);
  expect(await databases(page)).toEqual([]);
});

test("what a member left on a phone that was switched off is gone with the next start @once", async ({
  page,
}) => {
  await page.goto("/signin");
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.open("kof-somebody", 1);
        request.onupgradeneeded = () => request.result.createObjectStore("answers");
        request.onsuccess = () => resolve(request.result.close());
      }),
  );
  expect(await databases(page)).toEqual(["kof-somebody"]);

  await page.reload();

  await expect.poll(() => databases(page)).toEqual([]);
});

test("a newer version waits until 'Update' is pressed, in every tab @once", async ({
  page,
  context,
  baseURL,
}) => {
  const server = await changingServer(baseURL ?? "");
  // A member of its own: nothing that others do as Ada lies over the button.
  await enterAs(page, (await newMember(page)).email);
  await withWorker(page, server.url);
  const second = await context.newPage();
  await second.goto(`${server.url}/calendar`);
  await second.getByRole("heading", { level: 1, name: "Calendar" }).waitFor();
  const versions = () => page.evaluate(() => caches.keys());
  const [first] = await versions();
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });

  server.change((script) => script.replace(/"version":"[^"]+"/, '"version":"newer"'));
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update();
  });
  await expect(page.getByText("A new version is ready.")).toBeVisible({ timeout: 20_000 });
  await page.waitForTimeout(2000);
  expect(loads).toBe(0);
  expect((await versions()).sort()).toEqual([first, "kof-newer"].sort());

  await page.bringToFront();
  await page.getByRole("button", { name: "Update" }).click();
  await expect.poll(() => loads, { timeout: 30_000 }).toBe(1);
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  await expect(page.getByText("A new version is ready.")).toHaveCount(0);
  expect(await versions()).toEqual(["kof-newer"]);

  await expect(second.getByText("A new version is ready.")).toBeVisible();
  await second.getByRole("button", { name: "Update" }).click();
  await expect(second.getByText("A new version is ready.")).toHaveCount(0);
  await page.waitForTimeout(1000);
  expect(loads).toBe(1);
  await server.close();
});

test("a page of another version is not taken for the worker's own @once", async ({
  page,
  baseURL,
}) => {
  const server = await changingServer(baseURL ?? "");
  const otherPage = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
  server.change((script) =>
    script.replace(/"pageIntegrity":"[^"]+"/, `"pageIntegrity":"${otherPage}"`),
  );
  await enterAs(page, "ada@example.com");
  await page.goto(server.url);
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  const install = () => page.evaluate(() => navigator.serviceWorker.register("/sw.js"));
  await install();
  await page.waitForTimeout(3000);
  const isServed = () => page.evaluate(() => navigator.serviceWorker.controller !== null);
  expect(await isServed()).toBe(false);

  server.change((script) => script);
  await install();
  await expect.poll(isServed).toBe(true);
  await server.close();
});
