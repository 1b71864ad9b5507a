import { type BrowserContext, expect, type Page } from "@playwright/test";
import { changingServer } from "./changing-server.ts";
import { test } from "./fixtures.ts";
import { enterAs, newMember, PASSWORD, untilDrawn } from "./world.ts";

test.use({ serviceWorkers: "allow" });

const APP_STARTS_WORKER_AFTER_MS = 6000;
/** Longer than the write to the phone is debounced. */
const WRITE_TIMEOUT_MS = 3000;

/**
 * Open a screen and start the worker at once (the app does so seconds later); it controls the page.
 */
async function withWorker(page: Page, address = "/"): Promise<void> {
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate(() => navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }));
  await untilServed(page);
}

/** The worker has precached everything and controls this page. */
async function untilServed(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
}

/** The names of this phone's databases. */
function databases(page: Page): Promise<(string | undefined)[]> {
  return page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
}

/** The contents of the member's database as one text. */
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

/** Chromium drops the emulated loss on a reload that a worker serves: it is emulated again. */
async function reloadOffline(page: Page, context: BrowserContext): Promise<void> {
  await context.setOffline(true);
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, "onLine", { get: () => false }),
  );
  await page.reload();
}

/** Runs in the page: register the worker and return its state. */
async function startWorker(): Promise<string> {
  const { installing } = await navigator.serviceWorker.register("/sw.js");
  if (installing === null) {
    return "nothing to install";
  }
  return new Promise((resolve) => {
    const check = () => {
      if (installing.state === "redundant" || installing.state === "activated") {
        resolve(installing.state);
      }
    };
    installing.addEventListener("statechange", check);
    check();
  });
}

const balance = (page: Page) => page.locator(".wallet-balance");

test("without a network a reload shows the dashboard with the last figures @once", async ({
  page,
  context,
}) => {
  await enterAs(page, "ada@example.com");
  await withWorker(page);
  await page.goto("/wallet"); // the order's script is now on the phone, the statement's never is
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
  await expect(page.getByText("You are offline.", { exact: true })).toBeVisible();
  await expect(page.getByText(/^As of \d/)).toBeVisible();
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
  const latest = page.getByRole("region", { name: "Latest" });
  await expect(latest.locator(".notification, .empty-state").first()).toBeVisible();
  const seen = await latest.locator(".notification").allTextContents();
  await expect.poll(() => keptText(page)).toContain('\\"notifications\\"');

  await reloadOffline(page, context);

  await expect(page.getByText(/^As of \d/)).toBeVisible();
  await expect(latest.locator(".notification")).toHaveText(seen);
  await context.setOffline(false);
});

test("answers and videos are never in the cache, and nothing but the list is kept @once", async ({
  page,
}) => {
  await enterAs(page, "ada@example.com");
  await page.clock.install();
  await withWorker(page);
  for (const address of [
    "/settings",
    "/wallet",
    "/profile",
    "/posts",
    "/shopping",
    "/leaderboard",
  ]) {
    await page.goto(address);
    await untilDrawn(page);
    await page.clock.runFor(WRITE_TIMEOUT_MS);
    await keptText(page); // reads after the pending write
  }
  await expect.poll(() => keptText(page)).toContain("leaderboard");

  const paths = await cachedPaths(page);
  expect(paths).toContain("/");
  expect(paths.filter((each) => /^\/assets\/settings-screen-.+\.js$/.test(each))).toHaveLength(1);
  expect(paths.filter((each) => !/^\/(?:$|assets\/|icons\/|favicon|manifest)/.test(each))).toEqual(
    [],
  );
  const kept = await keptText(page);
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
  await context.clock.install();
  await signIn(page, email);
  await context.clock.runFor(APP_STARTS_WORKER_AFTER_MS);
  await untilServed(page);
  await expect.poll(() => keptText(page)).toContain("statistics");
  const second = await context.newPage();
  await second.goto("/");
  await second.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();

  // Right after opening: both pages have answers that are not written yet.
  await page.reload();
  await balance(page).getByText("₦").waitFor();
  await logOut(page);

  expect(await databases(page)).toEqual([]); // before the sign-in is shown
  await second.getByRole("button", { name: "Login" }).waitFor();
  await context.clock.runFor(WRITE_TIMEOUT_MS);
  expect(await databases(page)).toEqual([]);
  // It belongs to the browser, not to a member.
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(["first-use"]);
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
  await withWorker(page); // from then on the last data is read at once
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isAsked = false;
  await page.clock.install();
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

  await page.clock.runFor(WRITE_TIMEOUT_MS);
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
  // A separate member: nothing that other tests do as Ada covers the button.
  await enterAs(page, (await newMember(page)).email);
  await withWorker(page, server.url);
  const second = await context.newPage();
  await second.goto(`${server.url}/calendar`);
  await second.getByRole("heading", { level: 1, name: "Matches" }).waitFor();
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
  await expect(page.getByText("A new version is ready.")).toBeVisible();
  const isWaiting = async () =>
    (await navigator.serviceWorker.getRegistration())?.waiting?.state === "installed";
  await expect.poll(() => page.evaluate(isWaiting)).toBe(true);
  expect(loads).toBe(0);
  expect((await versions()).sort()).toEqual([first, "kof-newer"].sort());

  await page.bringToFront();
  await page.getByRole("button", { name: "Update" }).click();
  await expect.poll(() => loads).toBe(1);
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  await expect(page.getByText("A new version is ready.")).toHaveCount(0);
  await expect.poll(versions).toEqual(["kof-newer"]);

  await expect(second.getByText("A new version is ready.")).toBeVisible();
  const reloaded = second.waitForEvent("load");
  await second.getByRole("button", { name: "Update" }).click();
  await reloaded;
  await expect(second.getByText("A new version is ready.")).toHaveCount(0);
  await second.getByRole("heading", { level: 1, name: "Matches" }).waitFor();
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
  const install = () => page.evaluate(startWorker);
  expect(await install()).toBe("redundant");
  const isServed = () => page.evaluate(() => navigator.serviceWorker.controller !== null);
  expect(await isServed()).toBe(false);

  server.change((script) => script);
  expect(await install()).toBe("activated");
  await expect.poll(isServed).toBe(true);
  await server.close();
});
