import { beforeEach, expect, test, vi } from "vitest";
import {
  dismissToast,
  dropErrorToasts,
  pauseToasts,
  readToasts,
  releaseToasts,
  showToast,
} from "@/lib/ui/toasts";

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
  showToast("info", "two");

  dismissToast(readToasts()[0]?.id ?? 0);

  expect(readToasts().map((toast) => toast.text)).toEqual(["two"]);
});

function texts(): string[] {
  return readToasts().map((toast) => toast.text);
}

test("while a toast is read the clock stands still", () => {
  showToast("info", "long sentence");
  pauseToasts();
  vi.advanceTimersByTime(9000);
  expect(texts()).toEqual(["long sentence"]);

  releaseToasts();
  vi.advanceTimersByTime(5000);
  expect(texts()).toEqual([]);
});

test("the clock is held ten seconds at most, however often and whatever arrives", () => {
  showToast("info", "one");
  showToast("info", "two");
  pauseToasts();
  vi.advanceTimersByTime(6000);
  releaseToasts();
  pauseToasts();
  showToast("info", "three");
  vi.advanceTimersByTime(4000);
  expect(texts()).toEqual(["one", "two", "three"]);

  pauseToasts();
  vi.advanceTimersByTime(5000);
  expect(texts()).toEqual(["two", "three"]);
});

test("a toast that is dismissed under the pointer leaves the clock to the next one", () => {
  showToast("info", "one");
  pauseToasts();
  dismissToast(readToasts()[0]?.id ?? 0);

  showToast("info", "two");
  vi.advanceTimersByTime(5000);

  expect(texts()).toEqual([]);
});

test("what succeeds ends the errors before it, and nothing else", () => {
  showToast("error", "Wrong code.");
  showToast("info", "Time's up!");

  showToast("success", "Your account is active.");

  expect(texts()).toEqual(["Time's up!", "Your account is active."]);
});

test("another screen takes the errors and keeps what succeeded", () => {
  showToast("success", "Your order is placed.");
  showToast("error", "Wrong password.");

  dropErrorToasts();

  expect(texts()).toEqual(["Your order is placed."]);
});

test("a phone has room for two, and an error that finds none is shown after them", () => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) => ({ matches: query === "(max-width: 599px)" }) as MediaQueryList,
  );
  showToast("info", "news");
  for (const text of ["first", "second", "third"]) {
    showToast("error", text);
  }
  expect(texts()).toEqual(["second", "third"]);

  vi.advanceTimersByTime(5000);
  expect(texts()).toEqual(["first", "third"]);
});

test("at most four toasts show, and the same one is not stacked", () => {
  for (const text of ["a", "b", "c", "d", "e", "e"]) {
    showToast("info", text);
  }

  expect(readToasts().map((toast) => toast.text)).toEqual(["b", "c", "d", "e"]);
});
