import { useState } from "react";

interface Submission<Values> {
  submit: (values: Values) => void;
  isPending: boolean;
  isSuccess: boolean;
  /** Why the last try failed; null before, while and after one that did not. */
  error: unknown;
}

interface Steps<Values, Result> {
  send: (values: Values) => Promise<Result>;
  onSuccess: (result: Result) => unknown;
  onError: (error: unknown) => void;
}

type State = { kind: "idle" | "pending" | "success" } | { kind: "failed"; error: unknown };

/**
 * Send a visitor's form, one try at a time.
 *
 * Visitors have no server state to keep, so that their first screen does without the library that
 * keeps the members'.
 */
export function useSubmission<Values, Result>(steps: Steps<Values, Result>): Submission<Values> {
  const [state, setState] = useState<State>({ kind: "idle" });
  const isPending = state.kind === "pending";
  const submit = async (values: Values) => {
    if (isPending) {
      return;
    }
    setState({ kind: "pending" });
    try {
      const result = await steps.send(values);
      setState({ kind: "success" });
      steps.onSuccess(result);
    } catch (error) {
      setState({ kind: "failed", error });
      steps.onError(error);
    }
  };
  return {
    submit: (values) => void submit(values),
    isPending,
    isSuccess: state.kind === "success",
    error: state.kind === "failed" ? state.error : null,
  };
}
