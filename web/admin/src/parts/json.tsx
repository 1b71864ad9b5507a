import "~/parts/json.css";
import { formatMoment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { isRecord } from "@/lib/storage";
import { labelOf } from "~/lib/words";
import { type Subject, SubjectName } from "~/parts/subject";

const KOBO_PER_NAIRA = 100;
const KOBO = /[_ ]?kobo$/i;
const ID = /[_ ]?ids?$/i;
/** What the wire and the audit call amounts in naira. */
const NAIRA =
  /^(amount|balance|price|fee|total|taken|debt|(adjustment|adjustment_day|refund)_limit)$|_(amount|price|fee|total)$/;
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/;

interface JsonProps {
  value: unknown;
  /** What ids in it stand for. */
  subjects?: readonly Subject[] | undefined;
  /** The name that it has in what it is part of. */
  name?: string;
}

/** Any value of the wire, to be read by people: amounts as naira, moments in Lagos, ids by name. */
export function Json({ value, subjects = [], name = "" }: JsonProps) {
  if (isRecord(value)) {
    return (
      <dl className="json">
        {Object.entries(value).map(([key, part]) => (
          <div key={key}>
            <dt>{labelOf(key.replace(KOBO, "").replace(ID, "") || key)}</dt>
            <dd>
              <Json value={part} subjects={subjects} name={KOBO.test(name) ? name : key} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  if (Array.isArray(value)) {
    return value.length > 0 &&
      value.every((part) => !(isRecord(part) || isNamed(part, subjects))) ? (
      value.map(String).join(", ")
    ) : (
      <ol className="json">
        {value.map((part) => (
          <li key={JSON.stringify(part)}>
            <Json value={part} subjects={subjects} name={name} />
          </li>
        ))}
      </ol>
    );
  }
  const subject = subjects.find(({ id }) => id === value);
  return subject === undefined ? textOf(value, name) : <SubjectName subject={subject} />;
}

function isNamed(value: unknown, subjects: readonly Subject[]): boolean {
  return subjects.some(({ id }) => id === value);
}

function textOf(value: unknown, name: string): string {
  switch (typeof value) {
    case "boolean":
      return value ? "yes" : "no";
    case "number":
      return numberText(value, name);
    case "string":
      return MOMENT.test(value) ? formatMoment(value) : value;
    default:
      return String(value ?? "–");
  }
}

function numberText(value: number, name: string): string {
  if (KOBO.test(name)) {
    return formatNaira(value / KOBO_PER_NAIRA);
  }
  return NAIRA.test(name) ? formatNaira(value) : String(value);
}
