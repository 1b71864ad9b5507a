const SECOND_MS = 1000;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** The time until a kick-off in words, like the server's: `in 2 days 3 h`, `in 4 min 05 s`. */
export function until(kickOff: string, nowMs: number): string {
  const left = Math.floor((Date.parse(kickOff) - nowMs) / SECOND_MS);
  if (left <= 0) {
    return "Kick-off!";
  }
  const days = Math.floor(left / DAY_SECONDS);
  const hours = Math.floor((left % DAY_SECONDS) / HOUR_SECONDS);
  const minutes = Math.floor((left % HOUR_SECONDS) / MINUTE_SECONDS);
  if (days > 0) {
    return `in ${days} ${days > 1 ? "days" : "day"} ${hours} h`;
  }
  const seconds = String(left % MINUTE_SECONDS).padStart(2, "0");
  return hours > 0 ? `in ${hours} h ${minutes} min` : `in ${minutes} min ${seconds} s`;
}
