import { expect, test, vi } from "vitest";
import { openPath, ownPath, readPush, type Tab } from "./push.ts";

const ORIGIN = "https://fans.example";

function aTab(focused = false): Tab {
  return { focused, focus: vi.fn(async () => undefined), postMessage: vi.fn() };
}

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
  ["/\\evil.example", "/"],
  ["javascript:alert(1)", "/"],
  ["wallet", "/"],
  [undefined, "/"],
])("a tap on %s opens %s", (path, opened) => {
  expect(ownPath(path, ORIGIN)).toBe(opened);
});

test("a tap opens in the tab that is in use, and no second one", async () => {
  const tabs = [aTab(), aTab(true)];
  const openTab = vi.fn();

  await openPath("/wallet", tabs, openTab);

  expect(tabs[1]?.postMessage).toHaveBeenCalledWith({ open: "/wallet" });
  expect(tabs[1]?.focus).toHaveBeenCalledOnce();
  expect(tabs[0]?.postMessage).not.toHaveBeenCalled();
  expect(openTab).not.toHaveBeenCalled();
});

test("without a tab a tap opens a new one", async () => {
  const openTab = vi.fn();

  await openPath("/wallet", [], openTab);

  expect(openTab).toHaveBeenCalledWith("/wallet");
});
