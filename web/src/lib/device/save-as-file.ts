import { dayOf } from "@/lib/format/dates";

/** Save `data` as a readable JSON file, named after the day of `moment` in Lagos. */
export function saveAsJson(data: unknown, moment: string): void {
  const blob = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
  saveAsFile(blob, `king-of-fans-${dayOf(Date.parse(moment))}.json`);
}

/** Save `blob` as a file with this name. */
export function saveAsFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the address after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
