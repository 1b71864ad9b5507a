import { createECDH, randomBytes } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { enterAs, newMember, PASSWORD } from "./world.ts";

test.use({ serviceWorkers: "allow" });

const COOKIE = "push-stand-in";
const LIST = "/api/v1/push/subscriptions";

/**
 * Enable push in this browser without a push service.
 *
 * Chromium's own asks Google for an address; here a cookie stores the subscription, so that all
 * tabs agree and the end of a session does not clear it.
 */
async function standIn(page: Page): Promise<void> {
  const keys = {
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  };
  const stored = { cookie: COOKIE, keys, endpoint: `http://127.0.0.1:9/${Date.now()}` };
  await page.context().addInitScript(({ cookie, keys, endpoint }) => {
    const write = (value: string) => {
      // biome-ignore lint/suspicious/noDocumentCookie: the same in every tab, at once
      document.cookie = `${cookie}=${value}; path=/`;
    };
    const subscription = {
      options: {},
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: async () => {
        write("ended");
        return true;
      },
    };
    const pushManager = {
      getSubscription: async () => (document.cookie.includes(`${cookie}=on`) ? subscription : null),
      subscribe: async () => {
        write("on");
        return subscription;
      },
    };
    Object.defineProperty(ServiceWorkerRegistration.prototype, "pushManager", {
      get: () => pushManager,
    });
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Notification.requestPermission = async () => "granted";
  }, stored);
}

/** The stand-in's state of this browser. */
async function stateOf(page: Page): Promise<string | undefined> {
  return (await page.context().cookies()).find(({ name }) => name === COOKIE)?.value;
}

function tokenOf(page: Page): Promise<string> {
  return page.evaluate(() => JSON.parse(localStorage.getItem("user") ?? "{}").userToken ?? "");
}

async function pushedTo(page: Page, token: string): Promise<{ status: number; browsers: number }> {
  const answer = await page.request.get(LIST, { headers: { Authorization: `Bearer ${token}` } });
  const { data } = await answer.json();
  return { status: answer.status(), browsers: data?.length ?? 0 };
}

test("another member who signs in on this phone gets nothing of the first one's pushes @once", async ({
  page,
  context,
}) => {
  const ada = await newMember(page);
  const bello = await newMember(page);
  await standIn(page);
  await enterAs(page, ada.email);
  await page.goto("/notifications");
  await page.getByRole("button", { name: "Turn on notifications" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Turn on" }).click();
  await expect(page.getByRole("button", { name: "Turn off" })).toBeVisible();
  const tokenOfAda = await tokenOf(page);
  expect(await pushedTo(page, tokenOfAda)).toEqual({ status: 200, browsers: 1 });

  const other = await context.newPage();
  await other.goto("/signin");
  await other.getByLabel("Email").fill(bello.email);
  await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await other.getByRole("button", { name: "Login" }).click();
  await other.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();

  await expect.poll(() => stateOf(page)).toBe("ended");
  expect((await pushedTo(page, tokenOfAda)).status).toBe(401);
  await other.goto("/notifications");
  await expect(other.getByRole("button", { name: "Turn on notifications" })).toBeVisible();
  expect(await pushedTo(other, await tokenOf(other))).toEqual({ status: 200, browsers: 0 });
});
