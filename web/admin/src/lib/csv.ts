export type Cell = string | number | boolean | null | undefined;

/** What spreadsheets would run instead of showing. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** Rows as a CSV file: text that a spreadsheet could run as a formula begins with an apostrophe. */
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
