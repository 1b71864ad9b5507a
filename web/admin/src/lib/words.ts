/** Wire names that read badly as they are. */
const LABELS: Readonly<Record<string, string>> = { asked: "Requested" };

/** A wire name as a label: `battleZone` as `Battle zone`, `prize-voucher` as `Prize voucher`. */
export function labelOf(name: string): string {
  const label = LABELS[name];
  if (label !== undefined) {
    return label;
  }
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_.]/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
