import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isReachable, recordLoss, recordResponse, subscribeToReach } from "@/lib/device/online";

const listener = vi.fn();
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  recordResponse();
  listener.mockClear();
  stop = subscribeToReach(listener);
});
afterEach(() => {
  stop();
  recordResponse();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("one lost answer says nothing of the network, two in a row do, and one that comes ends it", () => {
  recordLoss();
  recordResponse();
  recordLoss();
  expect(isReachable()).toBe(true);
  recordLoss();
  expect(isReachable()).toBe(false);
  recordResponse();
  expect(isReachable()).toBe(true);
  expect(listener).toHaveBeenCalledTimes(2);
});

test("while nothing comes back it asks less and less often, until something does", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("lost"));
  recordLoss();
  recordLoss();

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
  recordLoss();
  recordLoss();

  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetched).not.toHaveBeenCalled();
  expect(isReachable()).toBe(false);
});

test("another network is another chance, also for whoever only waits for it", () => {
  recordLoss();
  recordLoss();
  window.dispatchEvent(new Event("online"));
  expect(isReachable()).toBe(true);

  listener.mockClear();
  window.dispatchEvent(new Event("online"));
  expect(listener).toHaveBeenCalledOnce();
});
