export type Cell = string | number | boolean | null | undefined;

/** Characters that make a spreadsheet evaluate a cell. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Rows as CSV; an apostrophe is put before text that a spreadsheet could run as a formula. */
export function csvOf(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [heads, ...rows].map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}

function cellOf(value: Cell): string {
  if (typeof value === "number" || typeof value === "boolean") {
    return String(value);
  }
  const text = value ?? "";
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
