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
 * whose tab has lost its draft, shows that step instead. `first` is where a new visit begins: Back
 * leaves the form from there, and `backTo` an earlier step replaces the entry.
 */
export function useSignUpStep(reachable: number, first: number): StepControl {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const stored = stepIn(state) ?? first;
  const opened = openedBefore(state);
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
    next: () => void navigate(here, { state: { ...kept, step: step + 1, opened: opened + 1 } }),
    backTo: (earlier) => {
      if (step - earlier <= opened) {
        void navigate(earlier - step);
      } else {
        void navigate(here, { replace: true, state: { ...kept, step: earlier } });
      }
    },
  };
}

/** How many entries before this one are steps of the same form, each one earlier. */
function openedBefore(state: unknown): number {
  const opened = isRecord(state) ? state["opened"] : undefined;
  return typeof opened === "number" && Number.isInteger(opened) && opened > 0 ? opened : 0;
}

function stepIn(state: unknown): number | undefined {
  const step = isRecord(state) ? state["step"] : undefined;
  return typeof step === "number" && Number.isInteger(step) && step >= 0 ? step : undefined;
}
