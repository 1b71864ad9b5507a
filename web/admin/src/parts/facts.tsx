import "~/parts/facts.css";
import type { ReactNode } from "react";

/** Labels and values as a list; null values are left out. */
export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> }) {
  const shown = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined);
  return shown.length === 0 ? null : (
    <dl className="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
