import "~/parts/resource-fields.css";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "@/components/button";
import { isRecord } from "@/lib/device/storage";
import type { Resource, ResourceFormState } from "~/api/use-resource-form";
import type { FieldFacts } from "~/lib/facts";
import { isGroup, type Typed, typedOf, wireOf } from "~/lib/form-values";
import { labelOf } from "~/lib/words";
import { FormField, type FormFieldProps } from "~/parts/form-field";

export interface ResourceFieldsLayout {
  labels?: Readonly<Record<string, string>> | undefined;
  hints?: Readonly<Record<string, ReactNode>> | undefined;
  /** A field with a custom control. */
  controls?: Readonly<Record<string, (field: FormFieldProps) => ReactNode>> | undefined;
}

/** The fields of a form; after a conflict, both versions are shown above them. */
export function ResourceFields({
  state,
  labels = {},
  hints = {},
  controls = {},
}: ResourceFieldsLayout & { state: ResourceFormState }) {
  return (
    <div ref={state.form} className="form">
      {state.theirs === null ? null : (
        <Conflict state={state} theirs={state.theirs} labels={labels} />
      )}
      {Object.entries(state.facts).map(([name, facts]) => {
        const field: FormFieldProps = {
          name,
          facts,
          label: labels[name] ?? labelOf(name),
          value: state.typed[name] ?? null,
          error: state.errors[name],
          hint: hints[name],
          onChange: (value) => state.set(name, value),
        };
        const control = controls[name];
        return (
          <div key={name}>
            {control === undefined ? <AnyField {...field} labels={labels} /> : control(field)}
          </div>
        );
      })}
    </div>
  );
}

/** One field, or the fields of a group under a common label. */
function AnyField({ labels, ...field }: FormFieldProps & { labels: Record<string, string> }) {
  if (field.facts.kind !== "group") {
    return <FormField {...field} />;
  }
  const values = isRecord(field.value) ? (field.value as Record<string, Typed>) : {};
  return (
    <fieldset className="form field-group">
      <legend>{field.label}</legend>
      {field.hint === undefined ? null : <p className="muted small">{field.hint}</p>}
      {Object.entries(field.facts.fields ?? {}).map(([name, facts]) => (
        <FormField
          key={name}
          name={name}
          facts={facts}
          label={labels[name] ?? labelOf(name)}
          value={values[name] ?? null}
          error={undefined}
          onChange={(value) => field.onChange({ ...values, [name]: value })}
        />
      ))}
      {field.error === undefined ? null : <p className="field-error">{field.error}</p>}
    </fieldset>
  );
}

interface ConflictProps {
  state: ResourceFormState;
  theirs: Resource;
  labels: Record<string, string>;
}

/** Both versions of conflicting fields to choose from; focused, so that it scrolls into view. */
function Conflict({ state, theirs, labels }: ConflictProps) {
  const notice = useRef<HTMLElement>(null);
  useEffect(() => notice.current?.focus(), []);
  const resolve = (decide: () => void) => {
    decide();
    state.form.current?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  };
  const rows = Object.entries(state.facts).flatMap(([name, facts]) => {
    const mine = shown(facts, wireOf(facts, state.typed[name] ?? null));
    const other = shown(facts, theirs[name]);
    const differing = { mine: without(mine, other), other: without(other, mine) };
    return mine.join() === other.join() ? [] : [{ name, ...differing }];
  });
  return (
    <section ref={notice} className="notice notice-warn conflict" role="alert" tabIndex={-1}>
      <div>
        <h3>Another operator has saved changes</h3>
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Theirs</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, mine, other }) => (
              <tr key={name}>
                <th scope="row">{labels[name] ?? labelOf(name)}</th>
                <td>{other.join("\n")}</td>
                <td>{mine.join("\n")}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className="buttons">
          <Button variant="secondary" onClick={() => resolve(state.takeTheirs)}>
            Take theirs
          </Button>
          <Button variant="secondary" onClick={() => resolve(state.keepMine)}>
            Keep mine
          </Button>
        </div>
      </div>
    </section>
  );
}

/** A value as lines to compare: one line per item of a list of groups. */
function shown(facts: FieldFacts, value: unknown): string[] {
  const typed = typedOf(facts, value);
  if (Array.isArray(typed) && facts.of?.kind === "group") {
    return typed.filter(isGroup).map((one) => Object.values(one).join(": "));
  }
  return [typeof typed === "string" ? typed : JSON.stringify(typed)];
}

/** Of many lines, those missing on the other side. */
function without(lines: string[], others: string[]): string[] {
  return lines.filter((line) => !others.includes(line));
}
