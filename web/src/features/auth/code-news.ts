import { isRecord } from "@/lib/device/storage";
import { counted } from "@/lib/format/counts";
import { formatCountdown } from "@/lib/format/dates";

const SECONDS_BETWEEN_CODES = 60;
const SECONDS_PER_HOUR = 3600;

/**
 * The code's status as known to the previous screen: just sent, held back because another was just
 * sent to the address, or unknown.
 */
export type CodeState = "sent" | "held" | "unknown";

/**
 * Lives in the history entry, with an instant instead of a countdown, so that it survives a reload.
 */
export interface CodeNews {
  code: CodeState;
  nextAtMs: number;
}

/** The status from a response: `retryAfter` is 0 if the code was sent. */
export function codeNews(retryAfterSeconds: number, otherwise: CodeState): CodeNews {
  const isSent = retryAfterSeconds === 0;
  return {
    code: isSent ? "sent" : otherwise,
    nextAtMs: Date.now() + (isSent ? SECONDS_BETWEEN_CODES : retryAfterSeconds) * 1000,
  };
}

/** The status in a history entry; unknown if there is none. */
export function readCodeNews(state: unknown): CodeNews {
  if (isRecord(state) && typeof state["nextAtMs"] === "number") {
    const code = state["code"] === "sent" || state["code"] === "held" ? state["code"] : "unknown";
    return { code, nextAtMs: state["nextAtMs"] };
  }
  return { code: "unknown", nextAtMs: 0 };
}

/** Seconds from now until another code may be requested. */
export function secondsUntilNext(news: Pick<CodeNews, "nextAtMs">): number {
  return Math.max(0, Math.ceil((news.nextAtMs - Date.now()) / 1000));
}

/** A wait as `0:45`, and from an hour on in hours. */
export function formatWait(seconds: number): string {
  const hours = Math.ceil(seconds / SECONDS_PER_HOUR);
  if (seconds < SECONDS_PER_HOUR) {
    return formatCountdown(seconds);
  }
  return counted(hours, "hour");
}
