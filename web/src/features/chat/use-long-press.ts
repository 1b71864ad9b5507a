import { type PointerEvent, useEffect, useRef } from "react";

const HELD_MS = 500;
/** A finger is never quite still. */
const STILL_WITHIN_PX = 10;

/** How long after a finger lifts its click may come. */
const CLICK_WINDOW_MS = 400;

/**
 * Ignore the click that follows when the finger lifts after a long press.
 *
 * There is no click if the browser cancels the touch. The next touch ends the wait even if the end
 * of the last one was never reported.
 */
function ignoreClickOfLifting(): void {
  const over = new AbortController();
  const options = { capture: true, signal: over.signal };
  const end = () => over.abort();
  const ignore = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  const endByNext = ({ isPrimary }: globalThis.PointerEvent) => isPrimary && end();
  document.addEventListener("click", ignore, options);
  document.addEventListener("pointerup", () => setTimeout(end, CLICK_WINDOW_MS), options);
  document.addEventListener("pointercancel", end, options);
  document.addEventListener("pointerdown", endByNext, options);
}

/** Call `act` on a long press; not if the finger scrolls or lifts early. */
export function useLongPress(act: () => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const began = useRef({ x: 0, y: 0 });
  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerDown: ({ pointerType, clientX: x, clientY: y }: PointerEvent) => {
      stop();
      if (pointerType === "touch") {
        began.current = { x, y };
        timer.current = setTimeout(() => {
          ignoreClickOfLifting();
          act();
        }, HELD_MS);
      }
    },
    onPointerMove: ({ clientX: x, clientY: y }: PointerEvent) => {
      if (Math.hypot(x - began.current.x, y - began.current.y) > STILL_WITHIN_PX) {
        stop();
      }
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  };
}
