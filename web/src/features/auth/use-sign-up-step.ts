import { useEffect } from "react";
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
 * whose tab has lost its draft, shows that step instead.
 */
export function useSignUpStep(reachable: number): StepControl {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const stored = stepIn(state);
  const step = Math.min(stored, reachable);
  const here = `${pathname}${search}`;
  const kept = isRecord(state) ? state : {};
  useEffect(() => {
    if (stored > reachable) {
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

function stepIn(state: unknown): number {
  const step = isRecord(state) ? state["step"] : undefined;
  return typeof step === "number" && Number.isInteger(step) && step > 0 ? step : 0;
}
