import { StatusBadge } from "@/components/status-badge";
import { formatShortMoment } from "@/lib/format/dates";
import { serverNowMs } from "@/lib/live/server-clock";

/** Backups run every night; up to two hours of delay are accepted. */
const MAX_AGE_MS = 26 * 60 * 60 * 1000;

/** The time of the last good backup, in red when it is too old. */
export function LastBackup({ at }: { at: string | null }) {
  if (at === null) {
    return <StatusBadge tone="error" text="Never" />;
  }
  const isOld = serverNowMs() - Date.parse(at) > MAX_AGE_MS;
  return (
    <StatusBadge
      tone={isOld ? "error" : "success"}
      text={isOld ? `${formatShortMoment(at)}, more than 26 hours ago` : formatShortMoment(at)}
    />
  );
}
