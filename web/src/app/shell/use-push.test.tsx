import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { turnPushOn } from "@/api/push";
import { beginSession } from "@/lib/session/session";
import { aSession } from "@/test/factories";
import { browserWithoutPush, browserWithPush } from "@/test/push";
import { openApp, openAppAsMember } from "@/test/render";
import { envelope, type SeenRequest, serve } from "@/test/server";
import { soon } from "@/test/soon";

let browser: ReturnType<typeof browserWithPush>;
let posted: SeenRequest[] = [];

beforeEach(() => {
  browser = browserWithPush("granted");
  posted = serve("post", "/api/v1/push/subscriptions", () => envelope(201, { id: "s-1" }));
});
afterEach(browserWithoutPush);

/** The screen of this title, once it also listens. */
async function titled(name: string): Promise<HTMLElement> {
  const title = await screen.findByRole("heading", { level: 1, name });
  await act(async () => undefined);
  return title;
}

test("a tap on a notification opens its screen in the tab that is open", async () => {
  openAppAsMember("/backups");
  await titled("Backups");

  act(() => void browser.receive({ open: "/logs" }));

  expect(await titled("Logs")).toBeVisible();
});

test.each(["https://evil.example/", "//evil.example/", "/\\evil.example/", "logs", 7])(
  "a message that leads to %s opens nothing",
  async (path) => {
    openAppAsMember("/backups");
    await titled("Backups");

    act(() => void browser.receive({ open: path }));

    expect(await titled("Backups")).toBeVisible();
  },
);

test("only where the member's screens are shown the worker's question is answered", async () => {
  const port = { postMessage: vi.fn() };
  const { unmount } = openApp("/signin");
  browser.receive("shows-screens?", [port]);
  expect(port.postMessage).not.toHaveBeenCalled();
  unmount();

  openAppAsMember("/backups");
  await titled("Backups");
  browser.receive("shows-screens?", [port]);

  expect(port.postMessage).toHaveBeenCalledExactlyOnceWith(true);
});

test("a browser that has moved tells the server where it is", async () => {
  void beginSession(aSession());
  await turnPushOn("member-1", "key");
  openAppAsMember("/backups");
  await titled("Backups");

  browser.receive("push-moved");

  await waitFor(() => expect(posted).toHaveLength(2));
});

test("twelve seconds after the opening the server hears of this browser again", async () => {
  void beginSession(aSession());
  await turnPushOn("member-1", "key");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  openAppAsMember("/backups");
  await act(() => vi.advanceTimersByTimeAsync(11_000));
  expect(posted).toHaveLength(1);

  await act(() => vi.advanceTimersByTimeAsync(2000));

  await soon(() => expect(posted).toHaveLength(2));
});
