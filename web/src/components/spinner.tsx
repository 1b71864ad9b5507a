import "@/components/spinner.css";

interface SpinnerProps {
  small?: boolean;
  /** Said to screen readers; a spinner inside a button with a text of its own needs none. */
  label?: string;
}

/** A turning ring. */
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

/** A spinner over the whole screen, while nothing else may be done. */
export function SpinnerOverlay({ label }: { label: string }) {
  return (
    <div className="spinner-overlay">
      <Spinner label={label} />
    </div>
  );
}
