import "~/areas/seasons/seasons.css";
import { Plus, Trash2 } from "lucide-react";
import { Button } from "@/components/button";
import { isRecord } from "@/lib/storage";
import type { FieldFacts } from "~/lib/facts";
import { type Typed, typedOf, wireOf } from "~/lib/form-values";
import { FormField, type FormFieldProps } from "~/parts/form-field";

type Rank = Record<string, unknown>;

const LABELS: Record<string, string> = {
  rank: "Rank",
  thresholdPoint: "Points to leave it",
  startsAt: "Opens",
  endsAt: "Closes",
};
const NOT_A_DIGIT = /\D/g;

/** The ladder, lowest rank first, a line for each rank; King of Fans stands above the last. */
export function RanksField({ label, facts, value, error, onChange }: FormFieldProps) {
  const ranks = Array.isArray(value) ? value.filter(isRecord) : [];
  const fields = Object.entries(facts.of?.fields ?? {});
  const set = (place: number, name: string, fact: FieldFacts, typed: Typed) =>
    onChange(
      ranks.map((rank, each) => (each === place ? withPart(rank, name, fact, typed) : rank)),
    );
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
          {fields.map(([name, fact]) => (
            <FormField
              key={name}
              name={`${name}-${place}`}
              label={LABELS[name] ?? name}
              facts={fact}
              value={typedOf(fact, rank[name])}
              error={undefined}
              hint={null}
              onChange={(typed) => set(place, name, fact, typed)}
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
          look="secondary"
          icon={<Plus aria-hidden="true" />}
          disabled={ranks.length >= (facts.max ?? Number.POSITIVE_INFINITY)}
          onClick={() => onChange([...ranks, {}])}
        >
          Another rank
        </Button>
      </div>
      {error === undefined ? null : <p className="field-error">{error}</p>}
    </fieldset>
  );
}

/** A rank with one of its parts as typed; a part that was emptied goes. */
function withPart(rank: Rank, name: string, fact: FieldFacts, typed: Typed): Rank {
  const text = fact.kind === "integer" ? String(typed).replace(NOT_A_DIGIT, "") : typed;
  const { [name]: _before, ...others } = rank;
  const part = wireOf(fact, text);
  return part === undefined ? others : { ...others, [name]: part };
}
