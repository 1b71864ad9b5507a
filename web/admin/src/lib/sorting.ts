import type { Cell } from "~/lib/csv";
import { labelOf } from "~/lib/words";

export type SortOrder = "asc" | "desc";

/** A column by its slug, and the direction. */
export interface Sort {
  by: string;
  order: SortOrder;
}

/** The facts of a column that sorting needs. */
export interface SortColumn<Row> {
  title: string;
  value: (row: Row) => Cell;
  as?: "naira" | "moment" | "state" | "word" | "number";
  /** What it sorts by, if not its value; null if it has no order. */
  sortBy?: ((row: Row) => Cell) | null;
}

const texts = new Intl.Collator("en-NG", { numeric: true, sensitivity: "accent" });

/** The name of a column in the URL: `Paid by` as `paid-by`. */
export function slugOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}

/** Whether a list can be sorted by a column. */
export function isSortable<Row>({ sortBy }: SortColumn<Row>): boolean {
  return sortBy !== null;
}

/** The sort after another press of a column's header: ascending, descending, none. */
export function nextSort(sort: Sort | null, by: string): Sort | null {
  if (sort?.by !== by) {
    return { by, order: "asc" };
  }
  return sort.order === "asc" ? { by, order: "desc" } : null;
}

/** Rows in the order of a column; empty cells come last in both directions, ties keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  column: SortColumn<Row>,
  order: SortOrder,
): Row[] {
  const sign = order === "asc" ? 1 : -1;
  return rows
    .map((row) => ({ row, key: keyOf(row, column) }))
    .sort((one, other) => {
      if (one.key === null || other.key === null) {
        return Number(one.key === null) - Number(other.key === null);
      }
      return sign * compare(one.key, other.key);
    })
    .map(({ row }) => row);
}

function compare(one: string | number, other: string | number): number {
  return typeof one === "number" && typeof other === "number"
    ? one - other
    : texts.compare(String(one), String(other));
}

/** A number or text to compare; null for an empty cell. */
function keyOf<Row>(row: Row, { value, as, sortBy }: SortColumn<Row>): string | number | null {
  const cell = (sortBy ?? value)(row);
  if (cell === null || cell === undefined || cell === "") {
    return null;
  }
  if (typeof cell === "number") {
    return cell;
  }
  const text = String(cell);
  switch (as) {
    case "moment":
      return Date.parse(text);
    case "state":
    case "word":
      return labelOf(text);
    default:
      return text;
  }
}
