import { act, fireEvent, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useLongPress } from "@/features/chat/use-long-press";

const HELD_MS = 500;
let opened = 0;
let clicked = 0;
const count = () => {
  clicked += 1;
};

beforeEach(() => {
  vi.useFakeTimers();
  opened = 0;
  clicked = 0;
  document.body.addEventListener("click", count);
});
afterEach(() => document.body.removeEventListener("click", count));

function hold() {
  const { result } = renderHook(() =>
    useLongPress(() => {
      opened += 1;
    }),
  );
  const press = { pointerType: "touch", clientX: 10, clientY: 10 };
  act(() => result.current.onPointerDown(press as never));
  return result.current;
}

function lift(handlers: ReturnType<typeof hold>) {
  act(() => handlers.onPointerUp());
  fireEvent.pointerUp(document.body);
  fireEvent.click(document.body);
}

test("what opens under a finger that rests is not pressed by its lifting, but by the next tap", () => {
  const handlers = hold();
  act(() => vi.advanceTimersByTime(HELD_MS));
  expect(opened).toBe(1);

  lift(handlers);
  expect(clicked).toBe(0);
  act(() => vi.advanceTimersByTime(HELD_MS));
  fireEvent.click(document.body);

  expect(clicked).toBe(1);
});

test.each([
  ["its end is never reported", () => undefined],
  ["the browser cancels it", () => fireEvent.pointerCancel(document.body)],
])("a long press does not swallow the next tap when %s", (_, leave) => {
  const handlers = hold();
  act(() => vi.advanceTimersByTime(HELD_MS));
  act(() => handlers.onPointerCancel());
  leave();

  fireEvent.pointerDown(document.body, { isPrimary: true });
  fireEvent.click(document.body);

  expect([opened, clicked]).toEqual([1, 1]);
});

test("a second finger does not end the wait for the first one", () => {
  const handlers = hold();
  act(() => vi.advanceTimersByTime(HELD_MS));
  fireEvent.pointerDown(document.body, { isPrimary: false });

  lift(handlers);

  expect([opened, clicked]).toEqual([1, 0]);
});

test("a tap is a click like any", () => {
  const handlers = hold();
  act(() => vi.advanceTimersByTime(100));

  lift(handlers);

  expect([opened, clicked]).toEqual([0, 1]);
});
