import { type PointerEvent, useEffect, useRef } from "react";

const HELD_MS = 500;
/** A finger is never quite still. */
const STILL_WITHIN_PX = 10;

/** Call `act` when a finger rests on an element; a finger that scrolls, or lifts early, does not. */
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
        timer.current = setTimeout(act, HELD_MS);
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
