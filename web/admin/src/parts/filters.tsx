import { type FormEvent, Fragment, useEffect, useState } from "react";
import { Button } from "@/components/button";
import type { ListFilters } from "~/api/use-filters";
import type { FieldFacts } from "~/lib/facts";
import { labelOf } from "~/lib/words";
import { FormField, type FormFieldProps } from "~/parts/form-field";
import type { ResourceFieldsLayout } from "~/parts/resource-fields";

const NAMES: Record<string, string> = { q: "Search" };

/** Longer labels do not fit a phone's half line. */
const MAX_LABEL = 8;

/** What a filter says while it is not set: `Any state`. */
function noneOf(label: string, kind: FieldFacts["kind"]): string {
  if (kind === "boolean") {
    return "All";
  }
  return label.length > MAX_LABEL ? "Any" : `Any ${label.toLowerCase()}`;
}

interface FiltersProps {
  filters: ListFilters;
  labels?: Readonly<Record<string, string>> | undefined;
  /** A filter with a custom control. */
  controls?: ResourceFieldsLayout["controls"];
}

/** The filters of a list. Picked values apply immediately, typed ones on Enter or Search. */
export function Filters({
  filters: { facts, values, set },
  labels = {},
  controls = {},
}: FiltersProps) {
  const [typed, setTyped] = useState<Record<string, string>>({});
  // The URL is the source of truth: Back, saved views and links change it.
  const held = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed ends with another address
  useEffect(() => setTyped({}), [held]);
  const names = Object.keys(facts);
  if (names.length === 0) {
    return null;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set(typed);
  };
  const isNarrowed = Object.keys(values).length > 0;
  const isPicked = (name: string, { kind }: FieldFacts) =>
    controls[name] !== undefined || kind === "choice" || kind === "boolean";
  const areAllPicked = Object.entries(facts).every(([name, fact]) => isPicked(name, fact));
  return (
    <form className="filters" aria-label="Filters" onSubmit={submit}>
      {Object.entries(facts).map(([name, fact]) => {
        const control = controls[name];
        const label = labels[name] ?? NAMES[name] ?? labelOf(name);
        const field: FormFieldProps = {
          name,
          label,
          none: noneOf(label, fact.kind),
          facts: fact.kind === "boolean" ? { kind: "choice", options: ["true", "false"] } : fact,
          value: typed[name] ?? values[name] ?? "",
          error: undefined,
          onChange: (value) => {
            const text = String(value ?? "");
            if (isPicked(name, fact)) {
              set({ ...typed, [name]: text });
            } else {
              setTyped((before) => ({ ...before, [name]: text }));
            }
          },
        };
        return (
          <Fragment key={name}>
            {control === undefined ? <FormField {...field} /> : control(field)}
          </Fragment>
        );
      })}
      <div className="buttons">
        {areAllPicked ? null : (
          <Button type="submit" variant="secondary">
            Search
          </Button>
        )}
        {isNarrowed ? (
          <Button
            variant="quiet"
            onClick={() => set(Object.fromEntries(names.map((name) => [name, ""])))}
          >
            Show all
          </Button>
        ) : null}
      </div>
    </form>
  );
}
