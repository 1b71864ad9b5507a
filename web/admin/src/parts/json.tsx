import "~/parts/json.css";
import { isRecord } from "@/lib/storage";
import { toldOf } from "~/lib/told";
import { labelOf } from "~/lib/words";
import { BankName } from "~/parts/bank-name";
import { LongWords } from "~/parts/long-words";
import { type Subject, SubjectName } from "~/parts/subject";

const KOBO = /[_ -]?kobo$/i;
const ID = /[_ -]?ids?$/i;
/** Banks have codes of digits; the bank of our own account is written in words. */
const BANK_CODE = /^\d+$/;

interface JsonProps {
  value: unknown;
  /** What ids in it stand for. */
  subjects?: readonly Subject[] | undefined;
  /** The name that it has in what it is part of. */
  name?: string;
}

/** Any value of the wire, to be read by people: amounts as naira, moments in Lagos, ids and banks by name. */
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
      <LongWords text={value.map((part) => toldOf(name, part)).join(", ")} />
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
    <LongWords text={toldOf(name, value)} />
  ) : (
    <SubjectName subject={subject} />
  );
}

function isNamed(value: unknown, subjects: readonly Subject[]): boolean {
  return subjects.some(({ id }) => id === value);
}
