import type { ReactNode } from "react";
import { Button } from "@/components/button";

export const CHECKING = "Checking your connection...";
const NOTICE =
  "Many people use your network right now, so we are checking your connection. This takes a few seconds.";

interface CheckedSubmitProps {
  label: string;
  busy: boolean;
  /** A challenge is being solved. */
  isChecking: boolean;
  disabled?: boolean;
  /** Shown below the button, and replaced by the notice while the connection is checked. */
  children: ReactNode;
}

/**
 * A visitor's submit button, and a notice while the connection is checked.
 *
 * The notice and the children share one place, as high as the higher of them, so nothing moves.
 */
export function CheckedSubmit({ label, busy, isChecking, disabled, children }: CheckedSubmitProps) {
  return (
    <>
      <Button
        type="submit"
        wide
        busy={busy}
        busyText={isChecking ? CHECKING : "Loading..."}
        disabled={disabled}
      >
        {label}
      </Button>
      <div className="one-place">
        <p className="notice" aria-hidden="true" data-hidden={!isChecking}>
          {NOTICE}
        </p>
        <div data-hidden={isChecking}>{children}</div>
        <p className="visually-hidden" role="status">
          {isChecking ? NOTICE : ""}
        </p>
      </div>
    </>
  );
}
