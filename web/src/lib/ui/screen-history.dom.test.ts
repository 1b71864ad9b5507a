import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openOverlay, overlayCount } from "@/lib/ui/overlays";
import { ScreenHistory } from "@/lib/ui/screen-history";

const heard = vi.fn();
let screens: ScreenHistory;
let stop: () => void;
const closings: (() => void)[] = [];

beforeEach(async () => {
  screens = new ScreenHistory();
  stop = screens.listen(({ action, location }) => heard(action, location.pathname));
  screens.push("/before");
  screens.push("/here", { from: "before" });
  heard.mockClear();
});
afterEach(async () => {
  for (const close of closings.splice(0)) {
    close();
  }
  await settled();
  stop();
});

/** Open an overlay that Back closes, or that only asks. */
function open({ asks = false } = {}): { close: () => void; onBack: ReturnType<typeof vi.fn> } {
  let remove = () => {};
  const close = () => remove();
  const onBack = vi.fn(() => (asks ? undefined : close()));
  remove = openOverlay(onBack);
  closings.push(close);
  return { close, onBack };
}

/** The entries follow the overlays. */
async function settled(): Promise<void> {
  await vi.waitFor(() => {
    expect(window.history.state.overlays).toBe(overlayCount());
  });
}

async function step(direction: "back" | "forward"): Promise<void> {
  const popped = new Promise((resolve) =>
    window.addEventListener("popstate", resolve, { once: true }),
  );
  window.history[direction]();
  await popped;
}

test("Back closes an overlay, and the router hears nothing of it", async () => {
  const { onBack } = open();
  await settled();
  expect(window.history.state.overlays).toBe(1);

  await step("back");
  await settled();

  expect(onBack).toHaveBeenCalledOnce();
  expect(heard).not.toHaveBeenCalled();
  expect(screens.shown.location).toMatchObject({ pathname: "/here", state: { from: "before" } });
});

test("several overlays close one at a time, the top one first", async () => {
  const first = open();
  await settled();
  const second = open();
  await settled();

  await step("back");
  await settled();
  expect(second.onBack).toHaveBeenCalledOnce();
  expect(first.onBack).not.toHaveBeenCalled();
  await step("back");
  await settled();

  expect(first.onBack).toHaveBeenCalledOnce();
  expect(heard).not.toHaveBeenCalled();
});

test("an overlay that is closed by its button leaves no entry", async () => {
  const { close, onBack } = open();
  await settled();

  close();
  await settled();
  await step("back");

  expect(heard).toHaveBeenCalledExactlyOnceWith("POP", "/before");
  expect(onBack).not.toHaveBeenCalled();
});

test("an overlay that asks first keeps its entry", async () => {
  const { onBack } = open({ asks: true });
  await settled();

  await step("back");
  await settled();
  await step("back");
  await settled();

  expect(onBack).toHaveBeenCalledTimes(2);
  expect(heard).not.toHaveBeenCalled();
});

test("an overlay in another's place takes its entry", async () => {
  const { close } = open();
  await settled();
  const pushed = vi.spyOn(window.history, "pushState");
  const went = vi.spyOn(window.history, "go");

  close();
  open();
  await new Promise((resolve) => setTimeout(resolve));

  expect(pushed).not.toHaveBeenCalled();
  expect(went).not.toHaveBeenCalled();
});

test("Forward does not open a closed overlay again, and leads nowhere", async () => {
  open();
  await settled();
  await step("back");
  await settled();

  await step("forward");
  await settled();
  await step("back");

  expect(heard).toHaveBeenCalledExactlyOnceWith("POP", "/before");
});

test("from inside an overlay the next screen follows the screen's own entry", async () => {
  const { close } = open();
  open();
  await settled();

  screens.push("/next");
  await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith("PUSH", "/next"));
  for (const each of closings) {
    each();
  }
  close();
  await settled();
  await step("back");

  expect(heard).toHaveBeenLastCalledWith("POP", "/here");
  expect(window.history.state.overlays).toBe(0);
});

test("an overlay that outlives a navigation is covered again", async () => {
  const { onBack } = open();
  await settled();

  screens.replace("/here?tab=2");
  await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith("REPLACE", "/here"));
  screens.settle();
  await step("back");
  await settled();

  expect(onBack).toHaveBeenCalledOnce();
  expect(window.location.search).toBe("?tab=2");
});

test("after a reload with an open overlay its entry is left", async () => {
  const { close } = open();
  await settled();
  stop();
  close();

  const reloaded = new ScreenHistory();
  stop = reloaded.listen(heard);
  await settled();
  await step("back");

  await vi.waitFor(() => expect(window.location.pathname).toBe("/before"));
});

/** The browser begins to open another page, such as a typed address. */
function beginLeaving(): void {
  window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

/** What the history does after an overlay has closed has been done. */
async function quiet(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}

test("an overlay that closes while another page is being opened does not stop that", async () => {
  const { close } = open();
  await settled();
  const went = vi.spyOn(window.history, "go");

  beginLeaving();
  close();
  await quiet();
  expect(went).not.toHaveBeenCalled();

  // The page did not open: Back passes the entry that was left.
  await step("back");
  await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith("POP", "/before"));
  expect(window.history.state.overlays).toBe(0);
});

test("Back closes the overlay below one whose entry was left", async () => {
  const below = open();
  await settled();
  const { close } = open();
  await settled();
  beginLeaving();
  close();
  await quiet();

  await step("back");
  await settled();

  expect(below.onBack).toHaveBeenCalledOnce();
  expect(heard).not.toHaveBeenCalled();
});

test("the next screen takes no entry along that was left", async () => {
  const { close } = open();
  await settled();
  beginLeaving();
  close();
  await quiet();

  screens.push("/next");
  await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith("PUSH", "/next"));
  await step("back");

  expect(heard).toHaveBeenLastCalledWith("POP", "/here");
  expect(window.history.state.overlays).toBe(0);
});

test("a page that is shown again loses the entry that was left", async () => {
  const { close } = open();
  await settled();
  beginLeaving();
  close();
  await quiet();
  expect(window.history.state.overlays).toBe(1);

  window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));

  await settled();
  expect(heard).not.toHaveBeenCalled();
});

test("a download that began before an overlay opened leaves no entry", async () => {
  beginLeaving();
  const { close } = open();
  await settled();

  close();
  await settled();

  expect(window.history.state.overlays).toBe(0);
});
