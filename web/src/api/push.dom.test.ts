import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renewPush, turnPushOff, turnPushOn } from "@/api/push";
import { signIn } from "@/features/auth/sign-in-api";
import { readPushState, restFromOffering, restsFromOffering } from "@/lib/device/push";
import { beginSession, endSession, session } from "@/lib/session/session";
import { aSession, aUser } from "@/test/factories";
import { browserWithoutPush, browserWithPush } from "@/test/push";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";
import { soon } from "@/test/soon";

const ADA = "member-1";
const LIST = "/api/v1/push/subscriptions";
const DAY_MS = 86_400_000;

let browser: ReturnType<typeof browserWithPush>;
let posted: SeenRequest[] = [];

beforeEach(() => {
  browser = browserWithPush();
  posted = serve("post", LIST, () => envelope(201, { id: "s-1" }));
  beginSession(aSession({ userToken: "of ada" }));
});
afterEach(browserWithoutPush);

function bello() {
  return aSession({ id: "bello", userToken: "of bello" });
}

test.each(["left", "expired"] as const)(
  "the end of a session (%s) ends the browser's subscription",
  async (reason) => {
    await turnPushOn(ADA, "key");

    endSession(reason);

    await soon(() => expect(browser.isSubscribed).toBe(false));
  },
);

test("the session of another member ends the subscription of the one before", async () => {
  await turnPushOn(ADA, "key");

  beginSession(bello());

  await soon(() => expect(browser.isSubscribed).toBe(false));
  expect(await readPushState("bello")).toBe("off");
});

test("the same member's newer session leaves it as it is", async () => {
  await turnPushOn(ADA, "key");

  beginSession(aSession({ userToken: "a newer one" }));
  await renewPush();

  expect(browser.isSubscribed).toBe(true);
  expect(posted.map(({ headers }) => headers.get("Authorization"))).toEqual([
    "Bearer of ada",
    "Bearer a newer one",
  ]);
});

test("who signs in beside another member ends that one's session at the server", async () => {
  const asked = serve("post", "/api/v1/sign-in/username-password", () =>
    envelope(200, { user: aUser({ id: "bello" }), access_token: "of bello" }),
  );

  await signIn("bello@example.com", "Terrace-2026");

  expect(asked[0]?.headers.get("Authorization")).toBe("Bearer of ada");
  expect(session.read()?.id).toBe("bello");
});

test("what another member left subscribed is not moved to the next, but ended", async () => {
  browser.unsubscribe.mockRejectedValueOnce(new Error("the browser was closed"));
  await turnPushOn(ADA, "key");
  beginSession(bello());
  await soon(() => expect(browser.unsubscribe).toHaveBeenCalledOnce());
  expect(await readPushState("bello")).toBe("off");

  await renewPush();

  expect(posted).toHaveLength(1);
  expect(browser.isSubscribed).toBe(false);
});

test("a sign-in while the browser asks turns nothing on for the newcomer", async () => {
  browser.requestPermission.mockImplementationOnce(async () => {
    beginSession(bello());
    return "granted";
  });

  await expect(turnPushOn(ADA, "key")).rejects.toThrow("This was cancelled.");

  expect(posted).toEqual([]);
  expect(browser.isSubscribed).toBe(false);
});

test.each([
  ["is refused", () => refusal(422, "invalid", "This push service is not supported")],
  ["meets an outage", () => refusal(503, "unavailable", "Not now.")],
  ["is lost", () => Response.error()],
])("a subscription whose call %s is ended again, and said to be off", async (_, answer) => {
  serve("post", LIST, answer);

  await expect(turnPushOn(ADA, "key")).rejects.toThrow();

  expect(browser.isSubscribed).toBe(false);
  expect(await readPushState(ADA)).toBe("off");
});

test("a subscription that the server takes no more ends with its renewal, a lost call ends none", async () => {
  await turnPushOn(ADA, "key");
  serve("post", LIST, () => Response.error());
  await renewPush();
  expect(browser.isSubscribed).toBe(true);

  serve("post", LIST, () => refusal(422, "invalid", "This push service is not supported"));
  await renewPush();

  expect(browser.isSubscribed).toBe(false);
});

test("turning off ends it here and forgets this browser at the server, and no other", async () => {
  const removed = serve("delete", `${LIST}/:id`, () => envelope(200, null));
  serve("get", LIST, () =>
    envelope(200, [
      { id: "s-1", current: true, createdAt: "2026-11-22T10:00:00Z" },
      { id: "s-2", current: false, createdAt: "2026-11-22T09:00:00Z" },
    ]),
  );
  await turnPushOn(ADA, "key");

  await turnPushOff();

  expect(browser.isSubscribed).toBe(false);
  expect(removed.map(({ url }) => url.pathname)).toEqual([`${LIST}/s-1`]);
  expect(posted).toHaveLength(1);
});

test("turning off needs no server", async () => {
  serve("get", LIST, () => refusal(503, "unavailable", "Not now."));
  await turnPushOn(ADA, "key");

  await turnPushOff();

  expect(browser.isSubscribed).toBe(false);
  expect(await readPushState(ADA)).toBe("off");
});

test("who says no to the browser is subscribed to nothing", async () => {
  browser.requestPermission.mockResolvedValueOnce("denied");

  expect(await turnPushOn(ADA, "key")).toBe(false);

  expect(browser.subscribe).not.toHaveBeenCalled();
  expect(await readPushState(ADA)).toBe("blocked");
});

test("'Not now' rests for thirty days, and not longer", () => {
  vi.useFakeTimers();
  restFromOffering();

  vi.advanceTimersByTime(30 * DAY_MS - 1);
  expect(restsFromOffering()).toBe(true);
  vi.advanceTimersByTime(1);

  expect(restsFromOffering()).toBe(false);
});

test("a browser without push is unsupported, an iPhone's is to be installed first", async () => {
  browserWithoutPush();
  expect(await readPushState(ADA)).toBe("unsupported");
  const safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Safari/604.1";
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(safari);

  expect(await readPushState(ADA)).toBe("install-first");
});
