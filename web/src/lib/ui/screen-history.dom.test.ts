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

/** Every open overlay has its entry, and no step is to come. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
  await vi.waitFor(() => {
    expect(window.history.state.overlays).toBeGreaterThanOrEqual(overlayCount());
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

test("Back passes the entry of an overlay that was closed by its button", async () => {
  const { close, onBack } = open();
  await settled();
  const went = vi.spyOn(window.history, "go");

  close();
  await settled();
  expect(went).not.toHaveBeenCalled(); // a step would abort a navigation to another page
  await step("back");

  await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith("POP", "/before"));
  expect(window.history.state.overlays).toBe(0);
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

  await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith("POP", "/before"));
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

test("a replaced address takes no step, and Back carries it below the overlay", async () => {
  const { close } = open();
  await settled();
  const went = vi.spyOn(window.history, "go");

  screens.replace("/here?tab=2", { from: "tab" });
  close();
  await settled();
  expect(went).not.toHaveBeenCalled();
  expect(heard).toHaveBeenCalledExactlyOnceWith("REPLACE", "/here");

  open();
  await settled();
  await step("back");
  await settled();
  expect(window.location.search).toBe("?tab=2");
  expect(screens.shown.location).toMatchObject({ search: "?tab=2", state: { from: "tab" } });
  await step("back");
  await vi.waitFor(() => expect(heard).toHaveBeenLastCalledWith("POP", "/before"));
});

test("after a reload with an open overlay Back passes its entry", async () => {
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

test("Back closes the overlay below one that was closed by its button", async () => {
  const below = open();
  await settled();
  const { close } = open();
  await settled();
  close();

  await step("back");
  await settled();

  expect(below.onBack).toHaveBeenCalledOnce();
  expect(heard).not.toHaveBeenCalled();
});

test("the next screen takes no entry along that was left", async () => {
  const { close } = open();
  await settled();
  close();

  screens.push("/next");
  await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith("PUSH", "/next"));
  await step("back");

  expect(heard).toHaveBeenLastCalledWith("POP", "/here");
  expect(window.history.state.overlays).toBe(0);
});
