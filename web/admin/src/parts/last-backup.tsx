import { StatusBadge } from "@/components/status-badge";
import { formatMoment } from "@/lib/dates";
import { serverNowMs } from "@/lib/server-clock";

/** Backups are taken every night; two hours are theirs to be late. */
const OLD_AFTER_MS = 26 * 60 * 60 * 1000;

/** When the last good backup was taken, in red when that is too long ago. */
export function LastBackup({ at }: { at: string | null }) {
  if (at === null) {
    return <StatusBadge tone="error" text="Never" />;
  }
  const isOld = serverNowMs() - Date.parse(at) > OLD_AFTER_MS;
  return (
    <StatusBadge
      tone={isOld ? "error" : "success"}
      text={isOld ? `${formatMoment(at)}, more than 26 hours ago` : formatMoment(at)}
    />
  );
}
