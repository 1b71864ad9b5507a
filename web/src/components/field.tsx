import "@/components/field.css";
import { type ReactNode, useId } from "react";

/** The attributes that tie a control to its label, hint and error. */
export interface ControlProps {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

interface FieldProps {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  required?: boolean;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

/** A label, its control, and below it the error or else a hint. */
export function Field({ label, error, hint, required, className = "", children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = Boolean(error ?? hint);
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>
        {label}
        {required ? (
          <span className="field-required" aria-hidden="true">
            {" *"}
          </span>
        ) : null}
      </label>
      {children({
        id,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": hasNote ? noteId : undefined,
      })}
      {hasNote ? <FieldNote id={noteId} error={error} hint={hint} /> : null}
    </div>
  );
}

function FieldNote({
  id,
  error,
  hint,
}: {
  id: string;
  error?: string | undefined;
  hint: ReactNode;
}) {
  return (
    <p id={id} className={error ? "field-error" : "field-hint"}>
      {error ?? hint}
    </p>
  );
}
