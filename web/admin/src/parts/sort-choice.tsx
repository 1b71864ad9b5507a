import { Field } from "@/components/field";
import { SelectBox } from "@/components/select-box";
import { isSortable, type Sort, type SortColumn, type SortOrder, slugOf } from "~/lib/sorting";

interface SortChoiceProps<Row> {
  columns: readonly SortColumn<Row>[];
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
}

const ORDERS: SortOrder[] = ["asc", "desc"];

/** The sort of a list whose rows are cards, which have no column headers to press. */
export function SortChoice<Row>({ columns, sort, onSort }: SortChoiceProps<Row>) {
  const sortable = columns.filter(isSortable);
  return (
    <Field label="Sort by" className="sort-choice">
      {(control) => (
        <SelectBox
          control={control}
          name="sort"
          value={sort === null ? "" : `${sort.by} ${sort.order}`}
          onChange={(chosen) => onSort(sortOf(chosen))}
        >
          <option value="">The usual order</option>
          {sortable.flatMap((column) =>
            ORDERS.map((order) => (
              <option key={`${column.title} ${order}`} value={`${slugOf(column.title)} ${order}`}>
                {column.title}, {directionOf(column, order)}
              </option>
            )),
          )}
        </SelectBox>
      )}
    </Field>
  );
}

function sortOf(chosen: string): Sort | null {
  const [by, order] = chosen.split(" ");
  return by ? { by, order: order === "desc" ? "desc" : "asc" } : null;
}

function directionOf<Row>({ as }: SortColumn<Row>, order: SortOrder): string {
  const isUp = order === "asc";
  switch (as) {
    case "moment":
      return isUp ? "earliest first" : "latest first";
    case "naira":
    case "number":
      return isUp ? "lowest first" : "highest first";
    default:
      return isUp ? "A to Z" : "Z to A";
  }
}
