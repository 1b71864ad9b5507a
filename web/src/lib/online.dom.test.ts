import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isReachable, noteAnswer, noteLoss, subscribeToReach } from "@/lib/online";

const listener = vi.fn();
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  noteAnswer();
  listener.mockClear();
  stop = subscribeToReach(listener);
});
afterEach(() => {
  stop();
  noteAnswer();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("one lost answer says nothing of the network, two in a row do, and one that comes ends it", () => {
  noteLoss();
  noteAnswer();
  noteLoss();
  expect(isReachable()).toBe(true);
  noteLoss();
  expect(isReachable()).toBe(false);
  noteAnswer();
  expect(isReachable()).toBe(true);
  expect(listener).toHaveBeenCalledTimes(2);
});

test("while nothing comes back it asks less and less often, until something does", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("lost"));
  noteLoss();
  noteLoss();

  await vi.advanceTimersByTimeAsync(3000 + 6000 + 12_000);
  expect(fetched).toHaveBeenCalledTimes(3);
  fetched.mockResolvedValue(new Response(null));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(isReachable()).toBe(true);

  await vi.advanceTimersByTimeAsync(120_000);
  expect(fetched).toHaveBeenCalledTimes(4);
});

test("a page that nobody looks at does not ask", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockResolvedValue(new Response(null));
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  noteLoss();
  noteLoss();

  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetched).not.toHaveBeenCalled();
  expect(isReachable()).toBe(false);
});

test("another network is another chance, also for whoever only waits for it", () => {
  noteLoss();
  noteLoss();
  window.dispatchEvent(new Event("online"));
  expect(isReachable()).toBe(true);

  listener.mockClear();
  window.dispatchEvent(new Event("online"));
  expect(listener).toHaveBeenCalledOnce();
});
