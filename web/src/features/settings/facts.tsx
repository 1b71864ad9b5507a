import type { ReactNode } from "react";

interface Fact {
  name: string;
  /** Null where we were not told. */
  value: ReactNode;
  note?: ReactNode;
}

/** What is known of the member, line by line; what is not known says so. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value ?? <span className="muted">Not told</span>}
            {note ? <span className="facts-note">{note}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
