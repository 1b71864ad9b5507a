import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { codeNews, formatWait, readCodeNews, secondsUntilNext } from "@/features/auth/code-news";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The state of a history entry after a reload. */
function reloaded(state: unknown): unknown {
  return structuredClone(state);
}

test("a code that was just sent can be followed by another after a minute", () => {
  const news = codeNews(0, "held");

  expect(news.code).toBe("sent");
  expect(secondsUntilNext(news)).toBe(60);
});

test("a reload goes on counting where the page was", () => {
  const state = codeNews(45, "held");
  vi.advanceTimersByTime(30_000);

  const news = readCodeNews(reloaded(state));

  expect(news.code).toBe("held");
  expect(secondsUntilNext(news)).toBe(15);
  vi.advanceTimersByTime(20_000);
  expect(secondsUntilNext(news)).toBe(0);
});

test("nothing is said of a code where nothing is known", () => {
  for (const state of [null, undefined, {}, { nextAtMs: "soon" }, "sent"]) {
    expect(readCodeNews(state)).toEqual({ code: "unknown", nextAtMs: 0 });
  }
  expect(readCodeNews({ code: "lost", nextAtMs: 5 }).code).toBe("unknown");
});

test("a wait of an hour or more is told in hours", () => {
  expect(formatWait(45)).toBe("0:45");
  expect(formatWait(3599)).toBe("59:59");
  expect(formatWait(3600)).toBe("1 hour");
  expect(formatWait(3601)).toBe("2 hours");
});
