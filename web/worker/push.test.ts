import { expect, test, vi } from "vitest";
import { openPath, ownPath, readPush, renewSubscription, type Tab } from "./push.ts";

const ORIGIN = "https://fans.example";

/** A tab that shows the member's screens and confirms it when asked, or one that does not. */
function aTab({ focused = false, shows = true } = {}): Tab {
  const postMessage = vi.fn((message: unknown, [port]: MessagePort[]) => {
    if (shows && message === "shows-screens?") {
      port?.postMessage(true);
    }
  });
  return { focused, focus: vi.fn(async () => undefined), postMessage };
}

const openIn = (tab: Tab | undefined) => expect(tab?.postMessage);

test("a push is shown as it was written, and replaces the one of its tag", () => {
  const push = { title: "Kick-off", body: "Soon.", path: "/match/1", tag: "a1" };
  expect(readPush(JSON.stringify(push))).toEqual(push);
});

test.each([undefined, "", "no json", "null", "[]", '{"title": 7}'])(
  "%s still says who it is of, and leads home",
  (text) => {
    expect(readPush(text)).toEqual({
      title: "King of Fans",
      body: "",
      path: "/",
      tag: "King of Fans",
    });
  },
);

test.each([
  ["/wallet", "/wallet"],
  ["/shopping/1?x=2#y", "/shopping/1?x=2#y"],
  ["https://evil.example/", "/"],
  ["//evil.example/x", "/"],
  ["/..//evil.example/x", "/"],
  ["/.//evil.example/x", "/"],
  ["/api/v1/sign-out", "/"],
  ["/i/abc", "/"],
  ["/admin/members", "/"],
  ["/legal/terms", "/"],
  ["/\\evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["wallet", "/"],
  [undefined, "/"],
])("a tap on %s opens %s", (path, opened) => {
  expect(ownPath(path, ORIGIN)).toBe(opened);
});

test("a tap opens in the tab that is in use, and no second one", async () => {
  const tabs = [aTab(), aTab({ focused: true })];
  const openTab = vi.fn();

  await openPath("/wallet", tabs, openTab);

  openIn(tabs[1]).toHaveBeenCalledWith({ open: "/wallet" }, []);
  expect(tabs[1]?.focus).toHaveBeenCalledOnce();
  openIn(tabs[0]).not.toHaveBeenCalledWith({ open: "/wallet" }, []);
  expect(openTab).not.toHaveBeenCalled();
});

test("without a tab a tap opens a new one", async () => {
  const openTab = vi.fn();

  await openPath("/wallet", [], openTab);

  expect(openTab).toHaveBeenCalledWith("/wallet");
});

test("a tab in use that shows none of the member's screens is left for one that does", async () => {
  const tabs = [aTab({ focused: true, shows: false }), aTab()];
  const openTab = vi.fn();

  await openPath("/wallet", tabs, openTab);

  openIn(tabs[1]).toHaveBeenCalledWith({ open: "/wallet" }, []);
  openIn(tabs[0]).not.toHaveBeenCalledWith({ open: "/wallet" }, []);
  expect(tabs[0]?.focus).not.toHaveBeenCalled();
  expect(openTab).not.toHaveBeenCalled();
});

test("where no tab shows the member's screens a tap opens a new one, half a second later", async () => {
  vi.useFakeTimers();
  const tab = aTab({ focused: true, shows: false });
  const openTab = vi.fn();

  const opened = openPath("/wallet", [tab], openTab);
  await vi.advanceTimersByTimeAsync(499);
  expect(openTab).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await opened;
  vi.useRealTimers();

  expect(openTab).toHaveBeenCalledWith("/wallet");
  expect(tab.focus).not.toHaveBeenCalled();
});

test("a browser that has moved is subscribed as it was, and every tab tells the server", async () => {
  const options = { userVisibleOnly: true, applicationServerKey: null };
  const subscribe = vi.fn();
  const tabs = [aTab(), aTab()];

  await renewSubscription({ oldSubscription: { options } }, subscribe, async () => tabs);

  expect(subscribe).toHaveBeenCalledExactlyOnceWith(options);
  for (const tab of tabs) {
    expect(tab.postMessage).toHaveBeenCalledExactlyOnceWith("push-moved", []);
  }
});

test("a browser that moved without a word of where it was is subscribed to nothing", async () => {
  const subscribe = vi.fn();
  const tab = aTab();

  await renewSubscription({ oldSubscription: null }, subscribe, async () => [tab]);

  expect(subscribe).not.toHaveBeenCalled();
  expect(tab.postMessage).toHaveBeenCalledWith("push-moved", []);
});
