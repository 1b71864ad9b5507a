const thousands = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** A count with thousand separators. */
export function formatCount(count: number): string {
  return thousands.format(count);
}

/** The maximum that a badge shows. */
const MAX_BADGE_COUNT = 99;

/** A count as a badge shows it: `99+` above the maximum. */
export function badgeCount(count: number): string {
  return count > MAX_BADGE_COUNT ? `${MAX_BADGE_COUNT}+` : String(count);
}

/** `one` for a count of 1, else `many`: by default the word with an s. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** `1 question`, `1,200 questions`. */
export function counted(count: number, one: string, many?: string): string {
  return `${formatCount(count)} ${plural(count, one, many)}`;
}

/** A two-digit part of a clock: `07`. */
export function twoDigits(part: number): string {
  return String(part).padStart(2, "0");
}
