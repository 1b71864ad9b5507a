import "@/components/error-state.css";
import { RotateCw } from "lucide-react";
import { Button } from "@/components/button";

interface ErrorStateProps {
  message: string;
  onRetry?: () => void;
}

/** An error with a button to try again. */
export function ErrorState({ message, onRetry }: ErrorStateProps) {
  return (
    <div className="error-state" role="alert">
      <p>{message}</p>
      {onRetry ? (
        <Button variant="secondary" icon={<RotateCw aria-hidden="true" />} onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </div>
  );
}
