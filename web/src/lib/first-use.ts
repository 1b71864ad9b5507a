import { dayOf } from "@/lib/dates";
import { storedValue } from "@/lib/storage";

/** The day in Lagos on which this phone first opened the app as a member, as `2026-11-22`. */
const firstDay = storedValue<string>("first-use", (stored) =>
  typeof stored === "string" ? stored : null,
);

const startedAsKnown = firstDay.read() !== null;

/** Note the day of the first use; later ones change nothing. */
export function noteUse(): void {
  if (firstDay.read() === null) {
    firstDay.write(today());
  }
}

/** Whether this phone had the app open before this page was loaded. */
export function wasUsedBefore(): boolean {
  return startedAsKnown;
}

/** Whether the app was first used on a day before this one. */
export function isSecondDay(): boolean {
  const first = firstDay.read();
  return first !== null && first < today();
}

function today(): string {
  return dayOf(Date.now());
}
