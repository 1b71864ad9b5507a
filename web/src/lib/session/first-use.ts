import { storedValue } from "@/lib/device/storage";
import { dayOf } from "@/lib/format/dates";

/** The day in Lagos on which a member first used this phone, as `2026-11-22`. */
const firstDay = storedValue<string>("first-use", (stored) =>
  typeof stored === "string" ? stored : null,
);

const startedAsKnown = firstDay.read() !== null;

/** Record the day of the first use; later calls change nothing. */
export function recordUse(): void {
  if (firstDay.read() === null) {
    firstDay.write(today());
  }
}

/** Whether the app was used on this phone before this page was loaded. */
export function wasUsedBefore(): boolean {
  return startedAsKnown;
}

/** Whether the app was first used on an earlier day. */
export function isSecondDay(): boolean {
  const first = firstDay.read();
  return first !== null && first < today();
}

function today(): string {
  return dayOf(Date.now());
}
