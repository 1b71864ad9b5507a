import { ArrowUp, Plus, X } from "lucide-react";
import { useState } from "react";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { TextField } from "@/components/text-field";
import { useAnswer } from "~/api/queries";
import { useSettled } from "~/lib/use-settled";
import type { FormFieldProps } from "~/parts/form-field";
import { StateBadge } from "~/parts/state-badge";

interface Named {
  id: string;
  question: string;
  retired?: boolean;
}

interface QuestionPickerProps {
  field: FormFieldProps;
  /** The prompts of the questions already scheduled. */
  known: readonly Named[];
  /** The club of the day: its own questions fit, and those of all clubs. */
  club: string;
}

/** The ordered questions of a day, with a search for more. */
export function QuestionPicker({ field, known, club }: QuestionPickerProps) {
  const [added, setAdded] = useState<Named[]>([]);
  const ids = idsOf(field.value);
  const isFull = field.facts.max !== undefined && ids.length >= field.facts.max;
  const all = [...known, ...added];
  const names = new Map(all.map(({ id, question }) => [id, question]));
  const retired = all.filter((one) => one.retired).map(({ id }) => id);
  const add = (question: Named) => {
    setAdded((before) => [...before, question]);
    field.onChange([...ids, question.id]);
  };
  return (
    <fieldset className="form field-group">
      <legend>Questions</legend>
      {ids.length === 0 ? <p className="muted">None yet</p> : null}
      <ol className="picked">
        {ids.map((id, place) => (
          <li key={id}>
            <span>
              {names.get(id) ?? id} {retired.includes(id) ? <StateBadge state="retired" /> : null}
            </span>
            <button
              type="button"
              className="icon-button"
              aria-label={`Earlier: ${names.get(id) ?? id}`}
              disabled={place === 0}
              onClick={() => field.onChange(earlier(ids, place))}
            >
              <ArrowUp aria-hidden="true" />
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label={`Remove: ${names.get(id) ?? id}`}
              onClick={() => field.onChange(ids.filter((each) => each !== id))}
            >
              <X aria-hidden="true" />
            </button>
          </li>
        ))}
      </ol>
      {field.error === undefined ? null : <p className="field-error">{field.error}</p>}
      {isFull ? (
        <p className="muted">A day asks at most {field.facts.max}.</p>
      ) : (
        <Search club={club} chosen={ids} onChosen={add} />
      )}
    </fieldset>
  );
}

interface SearchProps {
  club: string;
  chosen: readonly string[];
  onChosen: (question: Named) => void;
}

function Search({ club, chosen, onChosen }: SearchProps) {
  const [typed, setTyped] = useState("");
  const q = useSettled(typed.trim());
  const inQuery = { kind: "trivia", q: q === "" ? undefined : q, limit: 20 };
  const asked = useAnswer("GET /api/v1/admin/questions", { inQuery });
  return (
    <>
      <TextField label="Find a question" value={typed} onChange={setTyped} hint="Text or slug" />
      <Loaded query={asked} pending={<Skeleton />}>
        {({ rows }) => {
          const fitting = rows.filter(
            (row) => !chosen.includes(row.id) && (row.club === null || row.club === club),
          );
          return fitting.length === 0 ? (
            <p className="muted">No matching questions.</p>
          ) : (
            <ul className="picked found">
              {fitting.map((row) => (
                <li key={row.id}>
                  <span>{row.question}</span>
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={`Add: ${row.question}`}
                    onClick={() => onChosen(row)}
                  >
                    <Plus aria-hidden="true" />
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </>
  );
}

/** Ids are typed as lines elsewhere; here they are a list after the first change. */
function idsOf(value: unknown): string[] {
  return Array.isArray(value)
    ? value.map(String)
    : String(value ?? "")
        .split("\n")
        .filter(Boolean);
}

function earlier(ids: readonly string[], place: number): string[] {
  const moved = [...ids];
  moved.splice(place - 1, 2, ids[place] ?? "", ids[place - 1] ?? "");
  return moved;
}
