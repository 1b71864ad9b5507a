import "@/components/empty-state.css";
import "@/components/error-state.css";
import { CloudOff, RotateCw } from "lucide-react";
import { Button } from "@/components/button";

interface ErrorStateProps {
  message: string;
  /** What still works, in a sentence. */
  hint?: string | undefined;
  onRetry?: () => void;
}

/** An error with its picture, what still works, and a button to try again. */
export function ErrorState({ message, hint, onRetry }: ErrorStateProps) {
  return (
    <div className="empty-state error-state" role="alert">
      <span className="empty-icon">
        <CloudOff aria-hidden="true" />
      </span>
      <p className="error-message">{message}</p>
      {hint ? <p className="muted">{hint}</p> : null}
      {onRetry ? (
        <Button variant="secondary" icon={<RotateCw aria-hidden="true" />} onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}
