import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { restsFromOffering } from "@/lib/device/push";
import { browserWithoutPush, browserWithPush } from "@/test/push";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";

const ALL_ON = {
  money: true,
  orders: true,
  plans: true,
  community: true,
  games: true,
  matches: true,
};

beforeEach(() => {
  serve("get", "/api/v1/push/key", () => envelope(200, { publicKey: "key" }));
  serve("get", "/api/v1/notifications", () => envelope(200, { unread: 0, rows: [] }));
  serve("get", "/api/v1/notifications/settings", () =>
    envelope(200, { mail: ALL_ON, push: ALL_ON }),
  );
});

const panel = (name: string) => within(screen.getByRole("region", { name }));
const push = async () => within(await screen.findByRole("region", { name: "Push" }));

async function openScreen() {
  const app = openAppAsMember("/notifications");
  await screen.findByRole("region", { name: "Push" });
  return app;
}

describe("in a browser that takes notifications", () => {
  let browser: ReturnType<typeof browserWithPush>;
  let kept: SeenRequest[] = [];

  beforeEach(() => {
    browser = browserWithPush();
    kept = serve("post", "/api/v1/push/subscriptions", () => envelope(201, { id: "s-1" }));
  });
  afterEach(browserWithoutPush);

  test("nothing is asked before a press, our dialog asks first, and then the browser", async () => {
    const { user } = await openScreen();
    const button = await screen.findByRole("button", { name: "Turn on notifications" });
    expect(browser.requestPermission).not.toHaveBeenCalled();

    await user.click(button);
    const dialog = within(await screen.findByRole("dialog", { name: "Turn on notifications?" }));
    expect(browser.requestPermission).not.toHaveBeenCalled();
    await user.click(dialog.getByRole("button", { name: "Turn on" }));

    expect(await screen.findByRole("button", { name: "Turn off" })).toBeInTheDocument();
    expect(browser.requestPermission).toHaveBeenCalledOnce();
    expect(kept.map(({ body }) => body)).toEqual([browser.address]);
  });

  test("'Not now' asks nobody, and rests", async () => {
    const { user } = await openScreen();
    await user.click(await screen.findByRole("button", { name: "Turn on notifications" }));

    await user.click(screen.getByRole("button", { name: "Not now" }));

    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(browser.requestPermission).not.toHaveBeenCalled();
    expect(restsFromOffering()).toBe(true);
  });

  test("a refusal is told, and the screen does not say that notifications are on", async () => {
    const no = "This push service is not supported";
    serve("post", "/api/v1/push/subscriptions", () => refusal(422, "invalid", no));
    const { user } = await openScreen();
    await user.click(await screen.findByRole("button", { name: "Turn on notifications" }));

    await user.click(screen.getByRole("button", { name: "Turn on" }));

    // The toast moves from the dialog to the page when the dialog closes.
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(await screen.findByText(no)).toBeInTheDocument();
    expect(
      await screen.findByRole("button", { name: "Turn on notifications" }),
    ).toBeInTheDocument();
    expect(screen.queryByText("Notifications are on in this browser.")).not.toBeInTheDocument();
  });

  test("turned off it is off, also when the server does not answer", async () => {
    serve("get", "/api/v1/push/subscriptions", () => Response.error());
    const { user } = await openScreen();
    await user.click(await screen.findByRole("button", { name: "Turn on notifications" }));
    await user.click(screen.getByRole("button", { name: "Turn on" }));

    await user.click(await screen.findByRole("button", { name: "Turn off" }));

    expect(
      await screen.findByRole("button", { name: "Turn on notifications" }),
    ).toBeInTheDocument();
    expect(browser.isSubscribed).toBe(false);
  });

  test("what is pushed is chosen by group, beside mail, and saved", async () => {
    const chosen = serve("put", "/api/v1/notifications/settings", ({ body }) =>
      envelope(200, body),
    );
    const { user } = await openScreen();

    await user.click(await (await push()).findByRole("switch", { name: "Games" }));
    expect(panel("Push").getByRole("switch", { name: "Games" })).not.toBeChecked();
    expect(panel("Email").getByRole("switch", { name: "Games" })).toBeChecked();
    await user.click(panel("Push").getByRole("switch", { name: "Matches" }));

    await waitFor(() =>
      expect(chosen.map(({ body }) => body)).toEqual([
        { mail: ALL_ON, push: { ...ALL_ON, games: false } },
        { mail: ALL_ON, push: { ...ALL_ON, games: false, matches: false } },
      ]),
    );
  });
});

test.each([
  ["denied", "Your browser blocks notifications from this site. Allow them in its settings."],
  [null, "This browser does not support notifications."],
] as const)("where the browser's answer is %s the screen says so", async (permission, sentence) => {
  if (permission !== null) {
    browserWithPush(permission);
  }
  await openScreen();

  expect(await (await push()).findByText(sentence)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /^Turn o/ })).not.toBeInTheDocument();
  browserWithoutPush();
});

test("an iPhone is told that notifications work only in the installed app", async () => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Mozilla/5.0 (iPhone; CPU iPhone OS)");
  await openScreen();

  expect(
    await (await push()).findByText(/^On an iPhone, notifications work only in the installed app/),
  ).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: "Turn on notifications" })).not.toBeInTheDocument();
});
