import "@/components/next-time.css";
import { twoDigits } from "@/lib/counts";
import { formatMoment } from "@/lib/dates";
import { splitTime, useServerNow } from "@/lib/server-clock";

interface NextTimeProps {
  /** The instant that is waited for; nothing shows without one. */
  at: string | null;
  label: string;
}

/** A clock to the next time something opens, and the date in words. */
export function NextTime({ at, label }: NextTimeProps) {
  const nowMs = useServerNow();
  const leftMs = Date.parse(at ?? "") - nowMs;
  if (at === null || Number.isNaN(leftMs)) {
    return null;
  }
  const { weeks, day, hrs, min, sec } = splitTime(leftMs);
  const clock = [(weeks * 7 + day) * 24 + hrs, min, sec].map(twoDigits);
  return (
    <div className="next-time">
      <p className="small">{label}</p>
      <p className="numeral" role="timer" aria-label={label}>
        {clock.join(":")}
      </p>
      <p className="small muted">{formatMoment(at)}</p>
    </div>
  );
}
