import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  hasNoNetwork,
  isReachable,
  recordLoss,
  recordResponse,
  subscribeToReach,
} from "@/lib/device/online";

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

test("a server that answers again is noticed within two seconds, however long it was silent", async () => {
  const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("lost"));
  recordLoss();
  recordLoss();

  await vi.advanceTimersByTimeAsync(600_000);
  expect(isReachable()).toBe(false);
  fetched.mockResolvedValue(new Response(null));
  await vi.advanceTimersByTimeAsync(2000);
  expect(isReachable()).toBe(true);

  fetched.mockClear();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(fetched).not.toHaveBeenCalled();
});

test("requests that come nowhere mean that there is no network, whatever the browser says", () => {
  recordLoss(new TypeError("Failed to fetch"));
  recordLoss(new TypeError("Failed to fetch"));
  expect(hasNoNetwork()).toBe(true);

  recordLoss(); // a proxy answered in the server's place
  expect(hasNoNetwork()).toBe(false);
  expect(isReachable()).toBe(false);
});

test("a probe that hangs does not hold up the next one", async () => {
  const fetched = vi
    .spyOn(globalThis, "fetch")
    .mockReturnValueOnce(new Promise(() => undefined))
    .mockResolvedValue(new Response(null));
  recordLoss();
  recordLoss();

  await vi.advanceTimersByTimeAsync(3000);

  expect(fetched).toHaveBeenCalledTimes(2);
  expect(isReachable()).toBe(true);
});

test("a page that is loaded offline notices the network without an event", async () => {
  stop();
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  stop = subscribeToReach(listener);
  recordLoss();
  recordLoss();
  listener.mockClear();

  onLine.mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(2000);

  expect(isReachable()).toBe(true);
  expect(listener).toHaveBeenCalledOnce();
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
