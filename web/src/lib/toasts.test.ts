import { beforeEach, expect, test, vi } from "vitest";
import { dismissToast, holdToasts, readToasts, releaseToasts, showToast } from "@/lib/toasts";

beforeEach(() => {
  vi.useFakeTimers();
});

test("one interval of five seconds removes the oldest toast at a time", () => {
  showToast("info", "first");
  vi.advanceTimersByTime(4000);
  showToast("info", "second");

  vi.advanceTimersByTime(1000);
  expect(readToasts().map((toast) => toast.text)).toEqual(["second"]);

  vi.advanceTimersByTime(5000);
  expect(readToasts()).toEqual([]);
});

test("each toast can be dismissed", () => {
  showToast("error", "one");
  showToast("success", "two");

  dismissToast(readToasts()[0]?.id ?? 0);

  expect(readToasts().map((toast) => toast.text)).toEqual(["two"]);
});

test("while a toast is read the clock stands still", () => {
  showToast("info", "long sentence");
  holdToasts();
  vi.advanceTimersByTime(20_000);
  expect(readToasts()).toHaveLength(1);

  releaseToasts();
  vi.advanceTimersByTime(5000);
  expect(readToasts()).toHaveLength(0);
});

test("at most four toasts show, and the same one is not stacked", () => {
  for (const text of ["a", "b", "c", "d", "e", "e"]) {
    showToast("info", text);
  }

  expect(readToasts().map((toast) => toast.text)).toEqual(["b", "c", "d", "e"]);
});
