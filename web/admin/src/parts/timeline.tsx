import "~/parts/timeline.css";
import type { ReactNode } from "react";
import { formatShortMoment } from "@/lib/format/dates";

interface Entry {
  key: string;
  at: string;
  text: ReactNode;
  note?: ReactNode;
}

/** A history in chronological order. */
export function Timeline({ entries }: { entries: readonly Entry[] }) {
  return (
    <ol className="office-timeline">
      {entries.map(({ key, at, text, note }) => (
        <li key={key}>
          <strong>{text}</strong>
          <time className="small muted" dateTime={at}>
            {formatShortMoment(at)}
          </time>
          {note ? <p className="small">{note}</p> : null}
        </li>
      ))}
    </ol>
  );
}
