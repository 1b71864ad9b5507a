import type { ReactNode } from "react";
import { Field } from "@/components/field";
import { SelectBox } from "@/components/select-box";
import { messageOf } from "@/lib/live/failures";
import type { Listing, RowOf } from "~/api/calls";
import { useAllRows } from "~/api/queries";
import type { FormFieldProps } from "~/parts/form-field";

export interface Option {
  value: string;
  text: string;
}

/** A control for a field whose options only the screen knows, such as ids. */
export function choiceOf(options: readonly Option[]): (field: FormFieldProps) => ReactNode {
  return (field) => <Choice field={field} options={options} />;
}

/** A control for a field that names a row of a list, such as a club; null leaves a row out. */
export function choiceFrom<C extends Listing>(
  call: C,
  optionOf: (row: RowOf<C>) => Option | null,
): (field: FormFieldProps) => ReactNode {
  return (field) => <ChoiceFrom field={field} call={call} optionOf={optionOf} />;
}

interface ChoiceFromProps<C extends Listing> {
  field: FormFieldProps;
  call: C;
  optionOf: (row: RowOf<C>) => Option | null;
}

function ChoiceFrom<C extends Listing>({ field, call, optionOf }: ChoiceFromProps<C>) {
  const { data = [], isPending, error } = useAllRows(call);
  const options = data.map(optionOf).filter((option) => option !== null);
  const hint = isPending ? "Loading…" : field.hint;
  const failure = error === null ? field.error : messageOf(error);
  return <Choice field={{ ...field, hint, error: failure }} options={options} />;
}

interface ChoiceProps {
  field: FormFieldProps;
  options: readonly Option[];
}

function Choice({ field, options }: ChoiceProps) {
  const { name, label, facts, value, error, hint, none = "–", onChange } = field;
  return (
    <Field label={label} error={error} hint={hint} required={facts.required === true}>
      {(control) => (
        <SelectBox control={control} name={name} value={String(value ?? "")} onChange={onChange}>
          <option value="">{facts.required ? "Choose" : none}</option>
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
