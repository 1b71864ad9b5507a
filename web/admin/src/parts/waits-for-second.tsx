import { Link } from "react-router-dom";
import type { Writing } from "~/api/calls";
import { useMay } from "~/api/operator";

interface WaitsForSecondProps {
  /** The proposed action, named as on its button. */
  text: string;
  /** The call that would do it: operators who may make it can read the proposal. */
  call: Writing;
  approvalId: string;
}

/** Replaces a button while its action waits for a second operator. */
export function WaitsForSecond({ text, call, approvalId }: WaitsForSecondProps) {
  const may = useMay(call);
  const sentence = `${text}: waiting for approval`;
  return may ? (
    <Link to={`/approvals?state=open#${approvalId}`}>{sentence}</Link>
  ) : (
    <span className="muted small">{sentence}</span>
  );
}
