import "~/parts/json.css";
import { isRecord } from "@/lib/device/storage";
import { formatValue } from "~/lib/format-value";
import { labelOf } from "~/lib/words";
import { BankName } from "~/parts/bank-name";
import { LongWords } from "~/parts/long-words";
import { type Subject, SubjectName } from "~/parts/subject";

const KOBO = /[_ -]?kobo$/i;
const ID = /[_ -]?ids?$/i;
/** Banks are numeric codes; our own account's bank is written as text. */
const BANK_CODE = /^\d+$/;

interface JsonProps {
  value: unknown;
  /** The names of the ids in it. */
  subjects?: readonly Subject[] | undefined;
  /** The name of the value within its parent. */
  name?: string;
}

/**
 * Any wire value formatted for reading: amounts as naira, times in Lagos, ids and banks by name.
 */
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
      <LongWords text={value.map((part) => formatValue(name, part)).join(", ")} />
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
  if (name === "bank" && typeof value === "string" && BANK_CODE.test(value)) {
    return <BankName code={value} />;
  }
  const subject = subjects.find(({ id }) => id === value);
  return subject === undefined ? (
    <LongWords text={formatValue(name, value)} />
  ) : (
    <SubjectName subject={subject} />
  );
}

function isNamed(value: unknown, subjects: readonly Subject[]): boolean {
  return subjects.some(({ id }) => id === value);
}
