import { dayOf } from "@/lib/dates";

/** Hand `data` to the member as a readable JSON file, named after the day of `moment` in Lagos. */
export function saveAsFile(data: unknown, moment: string): void {
  const blob = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `king-of-fans-${dayOf(Date.parse(moment))}.json`;
  link.click();
  // The browser reads the address after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
