import "@/components/checkbox-field.css";
import { type ReactNode, useId } from "react";

interface CheckboxFieldProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  error?: string | undefined;
  children: ReactNode;
}

/** A checkbox with its sentence, which may contain a link, and its error below. */
export function CheckboxField({ checked, onChange, error, children }: CheckboxFieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className="field">
      <div className="checkbox">
        <input
          id={id}
          type="checkbox"
          checked={checked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? noteId : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <label htmlFor={id}>{children}</label>
      </div>
      {error ? (
        <p id={noteId} className="field-error">
          {error}
        </p>
      ) : null}
    </div>
  );
}
