import type { ReactNode } from "react";
import { CheckboxField } from "@/components/checkbox-field";
import { type ControlProps, Field } from "@/components/field";
import { SelectBox } from "@/components/select-box";
import type { FieldFacts } from "~/lib/facts";
import type { Typed } from "~/lib/form-values";
import { labelOf } from "~/lib/words";

/** Single-line texts of any length. */
const ONE_LINE = ["email"];
/** Texts from this length on get a multi-line field. */
const LONG_TEXT = 120;
const MAX_ROWS = 8;

export interface FormFieldProps {
  name: string;
  label: string;
  facts: FieldFacts;
  value: Typed;
  error: string | undefined;
  hint?: ReactNode;
  /** The words for no choice. */
  none?: string;
  onChange: (value: Typed) => void;
}

/** The control for a field's type, with label and error. */
export function FormField(props: FormFieldProps) {
  const { facts, value, onChange, label, error, hint } = props;
  if (facts.kind === "boolean") {
    return (
      <CheckboxField checked={value === true} error={error} onChange={onChange}>
        {label}
      </CheckboxField>
    );
  }
  if (facts.kind === "list" && facts.of?.kind === "choice") {
    return <SeveralChoices {...props} options={facts.of.options ?? []} />;
  }
  return (
    <Field
      label={label}
      error={error}
      hint={hint ?? hintOf(facts)}
      required={facts.required === true}
    >
      {(control) => <Control {...props} control={control} />}
    </Field>
  );
}

function Control({ control, ...props }: FormFieldProps & { control: ControlProps }) {
  const { name, facts, value, onChange } = props;
  if (facts.kind === "choice") {
    return <Choice {...props} control={control} />;
  }
  if (facts.kind === "file") {
    return (
      <input
        {...control}
        className="input"
        type="file"
        name={name}
        onChange={({ currentTarget }) => onChange(currentTarget.files?.[0] ?? null)}
      />
    );
  }
  if (facts.kind === "list" || isLongText(props)) {
    return <LongText {...props} control={control} />;
  }
  return (
    <input
      {...control}
      {...INPUTS[facts.kind]}
      {...(mayBeNegative(facts) ? { inputMode: "text" } : {})}
      className="input"
      name={name}
      autoComplete="off"
      aria-required={facts.required}
      value={String(value ?? "")}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

const INPUTS: Partial<Record<FieldFacts["kind"], object>> = {
  number: { inputMode: "decimal" },
  integer: { inputMode: "numeric" },
  day: { type: "date" },
  moment: { type: "datetime-local" },
  time: { type: "time" },
};

/** A phone's integer keypad has no minus. */
function mayBeNegative({ kind, min }: FieldFacts): boolean {
  return kind === "integer" && (min ?? -1) < 0;
}

function isLongText({ name, facts }: FormFieldProps): boolean {
  return facts.kind === "text" && (facts.max ?? 0) > LONG_TEXT && !ONE_LINE.includes(name);
}

function LongText({
  name,
  facts,
  value,
  control,
  onChange,
}: FormFieldProps & { control: ControlProps }) {
  const rows = facts.kind === "list" ? 4 : Math.min(MAX_ROWS, Math.ceil((facts.max ?? 0) / 80));
  return (
    <textarea
      {...control}
      className="input"
      name={name}
      rows={rows}
      aria-required={facts.required}
      value={String(value ?? "")}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function Choice({
  name,
  facts,
  value,
  none = "–",
  control,
  onChange,
}: FormFieldProps & { control: ControlProps }) {
  return (
    <SelectBox control={control} name={name} value={String(value ?? "")} onChange={onChange}>
      <option value="">{facts.required ? "Choose" : none}</option>
      {(facts.options ?? []).map((option) => (
        <option key={option} value={option}>
          {labelOf(option)}
        </option>
      ))}
    </SelectBox>
  );
}

function SeveralChoices({
  label,
  options,
  value,
  error,
  onChange,
}: FormFieldProps & { options: readonly string[] }) {
  const chosen = Array.isArray(value) ? value : [];
  return (
    <fieldset className="form field-group">
      <legend>{label}</legend>
      {options.map((option) => (
        <CheckboxField
          key={option}
          checked={chosen.includes(option)}
          onChange={(isChosen) =>
            onChange(options.filter((each) => (each === option ? isChosen : chosen.includes(each))))
          }
        >
          {labelOf(option)}
        </CheckboxField>
      ))}
      {error === undefined ? null : <p className="field-error">{error}</p>}
    </fieldset>
  );
}

function hintOf(facts: FieldFacts): string | undefined {
  if (facts.kind === "list") {
    return "One in a line";
  }
  return facts.kind === "moment" ? "Lagos time" : undefined;
}
