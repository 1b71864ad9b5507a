import type { ReactNode } from "react";
import { Field } from "@/components/field";
import { SelectBox } from "@/components/select-box";
import type { FormFieldProps } from "~/parts/form-field";

export interface Option {
  value: string;
  text: string;
}

/** The control of a field whose values are known to the screen alone, such as ids. */
export function choiceOf(options: readonly Option[]): (field: FormFieldProps) => ReactNode {
  return ({ name, label, facts, value, error, hint, onChange }) => (
    <Field label={label} error={error} hint={hint} required={facts.required === true}>
      {(control) => (
        <SelectBox control={control} name={name} value={String(value ?? "")} onChange={onChange}>
          <option value="">{facts.required ? "Choose" : "–"}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </SelectBox>
      )}
    </Field>
  );
}
