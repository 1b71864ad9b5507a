import type { ReactNode } from "react";

interface Fact {
  name: string;
  /** Null if not provided. */
  value: ReactNode;
  note?: ReactNode;
}

/** The member's details, line by line; missing ones say so. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value ?? <span className="muted">Not provided</span>}
            {note ? <span className="facts-note">{note}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
