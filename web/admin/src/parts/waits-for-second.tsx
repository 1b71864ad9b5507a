import { Link } from "react-router-dom";
import type { Writing } from "~/api/calls";
import { useMay } from "~/api/operator";

interface WaitsForSecondProps {
  /** What is proposed, as its button says it. */
  text: string;
  /** What would do it: who may do that reads the proposal. */
  call: Writing;
  approvalId: string;
}

/** What stands in the place of a button while a second person has to decide what it does. */
export function WaitsForSecond({ text, call, approvalId }: WaitsForSecondProps) {
  const may = useMay(call);
  const sentence = `${text}: waits for a second person`;
  return may ? (
    <Link to={`/approvals?state=open#${approvalId}`}>{sentence}</Link>
  ) : (
    <span className="muted small">{sentence}</span>
  );
}
