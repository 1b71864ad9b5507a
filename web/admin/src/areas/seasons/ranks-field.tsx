import "~/areas/seasons/seasons.css";
import { Plus, Trash2 } from "lucide-react";
import { Button } from "@/components/button";
import { groupTyped, isGroup, type Typed, type TypedGroup } from "~/lib/form-values";
import { FormField, type FormFieldProps } from "~/parts/form-field";

const LABELS: Record<string, string> = {
  rank: "Rank",
  thresholdPoint: "Points to leave it",
  startsAt: "Opens",
  endsAt: "Closes",
};

/** The ladder, one rank per line, lowest first; King of Fans stands above the last. */
export function RanksField({ label, facts, value, error, onChange }: FormFieldProps) {
  const ranks: TypedGroup[] = Array.isArray(value) ? value.filter(isGroup) : [];
  const fields = facts.of?.fields ?? {};
  const set = (place: number, name: string, typed: Typed) =>
    onChange(ranks.map((rank, each) => (each === place ? { ...rank, [name]: typed } : rank)));
  return (
    <fieldset className="form field-group">
      <legend>{label}</legend>
      <p className="field-hint">
        Small letters and hyphens, such as super-fan. King of Fans stands above the last one.
        Without days of its own a rank is open all season.
      </p>
      {ranks.map((rank, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a rank is its place on the ladder
        <fieldset key={place} className="rank-line" aria-label={`Rank ${place + 1}`}>
          {Object.entries(fields).map(([name, fact]) => (
            <FormField
              key={name}
              name={`${name}-${place}`}
              label={LABELS[name] ?? name}
              facts={fact}
              value={rank[name] ?? null}
              error={undefined}
              hint={null}
              onChange={(typed) => set(place, name, typed)}
            />
          ))}
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove rank ${place + 1}`}
            onClick={() => onChange(ranks.filter((_, each) => each !== place))}
          >
            <Trash2 aria-hidden="true" />
          </button>
        </fieldset>
      ))}
      <div className="buttons">
        <Button
          variant="secondary"
          icon={<Plus aria-hidden="true" />}
          disabled={ranks.length >= (facts.max ?? Number.POSITIVE_INFINITY)}
          onClick={() => onChange([...ranks, groupTyped(fields, {})])}
        >
          Another rank
        </Button>
      </div>
      {error === undefined ? null : <p className="field-error">{error}</p>}
    </fieldset>
  );
}
