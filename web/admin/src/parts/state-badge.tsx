import { type BadgeTone, StatusBadge } from "@/components/status-badge";
import { labelOf } from "~/lib/words";

/** States that are good, failed or pending; all others are neutral. */
const TONES: Record<string, BadgeTone> = {
  active: "success",
  approved: "success",
  delivered: "success",
  done: "success",
  matched: "success",
  on_sale: "success",
  paid: "success",
  published: "success",
  sent: "success",
  settled: "success",
  succeeded: "success",
  success: "success",
  accepted: "success",
  cancelled: "error",
  abandoned: "error",
  dead: "error",
  withdrawn: "error",
  wrong_key: "error",
  expired: "error",
  failed: "error",
  hidden: "error",
  refused: "error",
  rejected: "error",
  suspended: "error",
  unmatched: "error",
  ambiguous: "info",
  asked: "info",
  draft: "info",
  half_time: "info",
  live: "info",
  upcoming: "info",
  open: "info",
  pending: "info",
  processing: "info",
  running: "info",
  scheduled: "info",
  shipped: "info",
  waiting: "info",
};

/** A wire state as a coloured label. */
export function StateBadge({ state }: { state: string }) {
  return <StatusBadge tone={TONES[state] ?? "neutral"} text={labelOf(state)} />;
}
