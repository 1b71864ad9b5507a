import "@/components/spinner.css";

interface SpinnerProps {
  small?: boolean;
  /** For screen readers; unnecessary inside a button with text. */
  label?: string;
}

/** A spinning ring. */
export function Spinner({ small = false, label }: SpinnerProps) {
  return (
    <span
      className={small ? "spinner spinner-small" : "spinner"}
      role={label ? "status" : undefined}
      aria-hidden={label ? undefined : true}
    >
      {label ? <span className="visually-hidden">{label}</span> : null}
    </span>
  );
}

/** A spinner over the whole screen that blocks all input. */
export function SpinnerOverlay({ label }: { label: string }) {
  return (
    <div className="spinner-overlay">
      <Spinner label={label} />
    </div>
  );
}
