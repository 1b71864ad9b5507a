import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { isRecord } from "@/lib/device/storage";

interface StepControl {
  step: number;
  /** Open the next step as a new history entry, so that Back returns to this one. */
  next: () => void;
  /** Go back to an earlier step. */
  backTo: (step: number) => void;
}

/**
 * The step of a form in the history entry: it survives a reload, and Back and Forward change it.
 *
 * `reachable` is the last step whose predecessors are complete. An entry beyond it, such as one
 * whose tab has lost its draft, shows that step instead. `first` is where a new visit begins; the
 * steps before it are entries all the same, so that Back leads to them.
 */
export function useSignUpStep(reachable: number, first: number): StepControl {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const stored = stepIn(state);
  const [isArriving, setArriving] = useState(first > 0 && !hasStep(state));
  const step = isArriving ? first : Math.min(stored, reachable);
  const here = `${pathname}${search}`;
  const kept = isRecord(state) ? state : {};
  // One entry at a time, each once: the router drops a navigation that is overtaken by another.
  const askedAt = useRef<unknown>(undefined);
  useLayoutEffect(() => {
    const at = hasStep(state) ? stored : "outside";
    if (!isArriving || askedAt.current === at) {
      return;
    }
    askedAt.current = at;
    if (at === "outside") {
      void navigate(here, { replace: true, state: { ...kept, step: 0 } });
    } else if (stored < first) {
      void navigate(here, { state: { ...kept, step: stored + 1 } });
    } else {
      setArriving(false);
    }
  });
  useEffect(() => {
    if (!isArriving && stored > reachable) {
      void navigate(here, { replace: true, state: { ...kept, step: reachable } });
    }
  });
  return {
    step,
    next: () => void navigate(here, { state: { ...kept, step: step + 1 } }),
    // Every step was opened from the one before.
    backTo: (earlier) => void navigate(earlier - step),
  };
}

function hasStep(state: unknown): boolean {
  return isRecord(state) && "step" in state;
}

function stepIn(state: unknown): number {
  const step = isRecord(state) ? state["step"] : undefined;
  return typeof step === "number" && Number.isInteger(step) && step > 0 ? step : 0;
}
