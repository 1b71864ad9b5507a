import type { InputHTMLAttributes, ReactNode, Ref } from "react";
import { Field } from "@/components/field";

export interface TextFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "value"> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  hint?: ReactNode;
  /** Shown inside the field's end, such as a toggle. */
  action?: ReactNode;
  inputRef?: Ref<HTMLInputElement>;
}

/** A one-line text input with its label and error. */
export function TextField({
  label,
  value,
  onChange,
  error,
  hint,
  action,
  inputRef,
  required,
  ...rest
}: TextFieldProps) {
  return (
    <Field label={label} error={error} hint={hint} required={required === true}>
      {(control) => (
        <div className={action ? "input-row has-action" : "input-row"}>
          <input
            {...rest}
            {...control}
            ref={inputRef}
            className="input"
            aria-required={required || undefined}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          {action}
        </div>
      )}
    </Field>
  );
}
