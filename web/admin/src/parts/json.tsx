import "~/parts/json.css";
import { Link } from "react-router-dom";
import { isRecord } from "@/lib/storage";
import { useOperator } from "~/api/operator";
import { toldOf } from "~/lib/told";
import { labelOf } from "~/lib/words";

const MEMBER = /^user(_i|I)ds?$/;
const KOBO = /[_-]?kobo$/i;

/** Any value of the wire, to be read by people. `name` is what it is called there. */
export function Json({ value, name = "" }: { value: unknown; name?: string }) {
  if (isRecord(value)) {
    return (
      <dl className="json">
        {Object.entries(value).map(([part, held]) => (
          <div key={part}>
            <dt>{labelOf(MEMBER.test(part) ? "member" : part.replace(KOBO, ""))}</dt>
            <dd>
              <Json value={held} name={part} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  if (Array.isArray(value)) {
    return value.length > 0 && value.every((part) => !isRecord(part)) && !MEMBER.test(name) ? (
      value.map((part) => toldOf(name, part)).join(", ")
    ) : (
      <ol className="json">
        {value.map((part) => (
          <li key={JSON.stringify(part)}>
            <Json value={part} name={name} />
          </li>
        ))}
      </ol>
    );
  }
  if (MEMBER.test(name) && typeof value === "string") {
    return <MemberId id={value} />;
  }
  return <>{toldOf(name, value)}</>;
}

/** A member who is known by their id alone, which leads to their page for whoever may read it. */
function MemberId({ id }: { id: string }) {
  const may = useOperator().rights.includes("members:read");
  return may ? <Link to={`/members/${id}`}>{id}</Link> : id;
}
