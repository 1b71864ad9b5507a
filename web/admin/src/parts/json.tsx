import "~/parts/json.css";
import { isRecord } from "@/lib/storage";
import { labelOf } from "~/lib/words";

/** Any value of the wire, to be read by people. */
export function Json({ value }: { value: unknown }) {
  if (isRecord(value)) {
    return (
      <dl className="json">
        {Object.entries(value).map(([name, part]) => (
          <div key={name}>
            <dt>{labelOf(name)}</dt>
            <dd>
              <Json value={part} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  if (Array.isArray(value)) {
    return value.length > 0 && value.every((part) => !isRecord(part)) ? (
      value.map(String).join(", ")
    ) : (
      <ol className="json">
        {value.map((part) => (
          <li key={JSON.stringify(part)}>
            <Json value={part} />
          </li>
        ))}
      </ol>
    );
  }
  return <>{value === null || value === undefined ? "–" : String(value)}</>;
}
