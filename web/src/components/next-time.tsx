import "@/components/next-time.css";
import { formatMoment } from "@/lib/format/dates";
import { clockText } from "@/lib/format/waits";
import { useServerNow } from "@/lib/live/server-clock";

interface NextTimeProps {
  /** The awaited instant; renders nothing without one. */
  at: string | null;
  label: string;
}

/** A countdown to the next opening, and the date in words. */
export function NextTime({ at, label }: NextTimeProps) {
  const nowMs = useServerNow();
  const leftMs = Date.parse(at ?? "") - nowMs;
  if (at === null || Number.isNaN(leftMs)) {
    return null;
  }
  return (
    <div className="next-time">
      <p className="small">{label}</p>
      <p className="numeral" role="timer" aria-label={label}>
        {clockText(leftMs)}
      </p>
      <p className="small muted">{formatMoment(at)}</p>
    </div>
  );
}
