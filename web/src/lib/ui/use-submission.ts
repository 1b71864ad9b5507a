import { useState } from "react";
import { dropErrorToasts } from "@/lib/ui/toasts";

interface Submission<Values> {
  submit: (values: Values) => void;
  /** Nothing can be sent now: a try is in progress, or the form is finished and about to leave. */
  isPending: boolean;
  isSuccess: boolean;
  /** Why the last try failed; null before, during and after a successful one. */
  error: unknown;
}

interface Steps<Values, Result> {
  send: (values: Values) => Promise<Result>;
  onSuccess: (result: Result, values: Values) => unknown;
  onError: (error: unknown, values: Values) => void;
  /** The same may be sent again after a success, such as another code. */
  repeatable?: boolean;
}

type State = { kind: "idle" | "pending" | "success" } | { kind: "failed"; error: unknown };

/**
 * Send a visitor's form, one try at a time.
 *
 * Visitors have no server state to cache, so their first screen does without the query library. A
 * successful submission stays busy until the form is gone: the next screen may take a second to
 * load, and a second tap would sign up twice.
 */
export function useSubmission<Values, Result>(steps: Steps<Values, Result>): Submission<Values> {
  const [state, setState] = useState<State>({ kind: "idle" });
  const isSuccess = state.kind === "success";
  const isPending = state.kind === "pending" || (isSuccess && !steps.repeatable);
  const submit = async (values: Values) => {
    if (isPending) {
      return;
    }
    dropErrorToasts(); // those of the try before
    setState({ kind: "pending" });
    try {
      const result = await steps.send(values);
      setState({ kind: "success" });
      steps.onSuccess(result, values);
    } catch (error) {
      setState({ kind: "failed", error });
      steps.onError(error, values);
    }
  };
  return {
    submit: (values) => void submit(values),
    isPending,
    isSuccess,
    error: state.kind === "failed" ? state.error : null,
  };
}
