const thousands = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A count with thousand separators. */
export function formatCount(count: number): string {
  return thousands.format(count);
}

/** The most that a badge counts. */
const MAX_BADGE_COUNT = 99;

/** A count as a badge shows it: `99+` for more than that. */
export function badgeCount(count: number): string {
  return count > MAX_BADGE_COUNT ? `${MAX_BADGE_COUNT}+` : String(count);
}

/** `one` of a single thing, else `many`: by itself the word with an s. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `1 question`, `1,200 questions`. */
export function counted(count: number, one: string, many?: string): string {
  return `${formatCount(count)} ${plural(count, one, many)}`;
}

/** A part of a clock: `07`. */
export function twoDigits(part: number): string {
  return String(part).padStart(2, "0");
}
