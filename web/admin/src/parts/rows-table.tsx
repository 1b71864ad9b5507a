import "~/parts/rows-table.css";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatCount } from "@/lib/format/counts";
import { formatShortMoment } from "@/lib/format/dates";
import { formatNaira } from "@/lib/format/money";
import type { Cell } from "~/lib/csv";
import { isSortable, type Sort, type SortColumn, slugOf } from "~/lib/sorting";
import { labelOf } from "~/lib/words";
import { hasLongWord, LongWords } from "~/parts/long-words";
import { StateBadge } from "~/parts/state-badge";

/** A column: its text for table and CSV, and how it is rendered. */
export interface Column<Row> extends SortColumn<Row> {
  /** Its text for the table and for CSV. */
  value: (row: Row) => Cell;
  /** Its type, which decides the rendering: naira, ISO time, state or enum value. */
  as?: "naira" | "moment" | "state" | "word" | "number";
  /** A custom renderer, where the type is not enough. */
  show?: (row: Row) => ReactNode;
  /** Its numbers add up: the table ends with their sum. */
  total?: boolean;
}

/** The sort of a table, and what a press of a column's header does. */
export interface TableSort {
  sort: Sort | null;
  onSort: (by: string) => void;
}

/** The checkboxes of a table's rows. */
export interface RowSelection<Row> {
  isSelectable: (row: Row) => boolean;
  isSelected: (row: Row) => boolean;
  onSelect: (row: Row, isSelected: boolean) => void;
  nameOf: (row: Row) => string;
  disabled: boolean;
}

export interface RowsTableProps<Row> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** The key of a row; its id by default. */
  rowKey?: ((row: Row) => string) | undefined;
  /** The screen of a row, linked from the first column. */
  to?: ((row: Row) => string) | undefined;
  /** The actions of a row. */
  actions?: ((row: Row) => ReactNode) | undefined;
  /** Other rows, or another order of them, are on their way. */
  busy?: boolean | undefined;
  /** Makes the column headers buttons that sort. */
  sorting?: TableSort | undefined;
  selection?: RowSelection<Row> | undefined;
  /** A last row with the sums of the columns that add up. */
  totals?: { label: ReactNode; rows: readonly Row[] } | undefined;
}

/** Rows as a table or, on phones, as cards. */
export function RowsTable<Row extends object>({
  columns,
  rows,
  rowKey = idOf,
  to,
  actions,
  busy,
  sorting,
  selection,
  totals,
}: RowsTableProps<Row>) {
  return (
    <table className="list-table" aria-busy={busy || undefined}>
      <thead>
        <tr>
          {selection === undefined ? null : (
            <th scope="col" className="list-select">
              <span className="visually-hidden">Select</span>
            </th>
          )}
          {columns.map((column) => (
            <ColumnHeader key={column.title} column={column} sorting={sorting} />
          ))}
          {actions === undefined ? null : (
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} className={selection?.isSelected(row) ? "is-selected" : undefined}>
            {selection === undefined ? null : (
              <td className="list-select">
                <SelectRow row={row} selection={selection} />
              </td>
            )}
            {columns.map((column, index) => (
              <td key={column.title} data-title={column.title} className={classOfCell(column, row)}>
                {index === 0 && to !== undefined ? (
                  <Link to={to(row)}>{drawn(column, row)}</Link>
                ) : (
                  drawn(column, row)
                )}
              </td>
            ))}
            {actions === undefined ? null : (
              <td className="list-actions">
                <div className="buttons">{actions(row)}</div>
              </td>
            )}
          </tr>
        ))}
      </tbody>
      {totals === undefined ? null : (
        <tfoot>
          <Totals
            {...totals}
            columns={columns}
            before={selection === undefined ? 0 : 1}
            after={actions === undefined ? 0 : 1}
          />
        </tfoot>
      )}
    </table>
  );
}

const ARIA_SORT = { asc: "ascending", desc: "descending" } as const;

function ColumnHeader<Row>({
  column,
  sorting,
}: {
  column: Column<Row>;
  sorting: TableSort | undefined;
}) {
  const { title, as } = column;
  if (sorting === undefined || !isSortable(column)) {
    return (
      <th scope="col" className={classOf(as)}>
        {title}
      </th>
    );
  }
  const by = slugOf(title);
  const order = sorting.sort?.by === by ? sorting.sort.order : undefined;
  const Sign = order === undefined ? ChevronsUpDown : order === "asc" ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      className={classOf(as)}
      aria-sort={order === undefined ? undefined : ARIA_SORT[order]}
    >
      <button type="button" className="sort-button" onClick={() => sorting.onSort(by)}>
        {title}
        <Sign aria-hidden="true" />
      </button>
    </th>
  );
}

function SelectRow<Row>({ row, selection }: { row: Row; selection: RowSelection<Row> }) {
  if (!selection.isSelectable(row)) {
    return null;
  }
  return (
    <label className="select-row-box">
      <input
        type="checkbox"
        checked={selection.isSelected(row)}
        disabled={selection.disabled}
        onChange={({ target }) => selection.onSelect(row, target.checked)}
      />
      <span className="visually-hidden">{selection.nameOf(row)}</span>
    </label>
  );
}

interface TotalsProps<Row> {
  label: ReactNode;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** The number of cells before and after those of the columns. */
  before: number;
  after: number;
}

/** The sums of the columns that add up, and beside them what they are the sums of. */
function Totals<Row>({ label, rows, columns, before, after }: TotalsProps<Row>) {
  const first = columns.findIndex(({ total }) => total === true);
  return (
    <tr>
      <th scope="row" colSpan={first + before}>
        {label}
      </th>
      {columns.slice(first).map((column) => (
        <td
          key={column.title}
          data-title={column.title}
          className={column.total === true ? "is-number" : "is-empty"}
        >
          {column.total === true ? sumOf(column, rows) : null}
        </td>
      ))}
      {after === 0 ? null : <td className="is-empty" />}
    </tr>
  );
}

const KOBO = 100;

/** The sum of a column; in kobo, so that fractions of a naira add up. */
function sumOf<Row>({ value, as }: Column<Row>, rows: readonly Row[]): string {
  const isMoney = as === "naira";
  const unit = isMoney ? KOBO : 1;
  const sum = rows.map(value).reduce<number>((before, cell) => {
    return typeof cell === "number" ? before + Math.round(cell * unit) : before;
  }, 0);
  return isMoney ? formatNaira(sum / KOBO) : formatCount(sum);
}

function classOf(as: Column<unknown>["as"]): string | undefined {
  return as === "naira" || as === "number" ? "is-number" : undefined;
}

/** Custom-rendered columns may contain anything; all others declare their long words. */
function classOfCell<Row>({ as, value, show }: Column<Row>, row: Row): string | undefined {
  const isLong = show !== undefined && hasLongWord(String(value(row) ?? ""));
  return classOf(as) ?? (isLong ? "is-long" : undefined);
}

function drawn<Row>({ value, as, show }: Column<Row>, row: Row): ReactNode {
  if (show !== undefined) {
    return show(row);
  }
  const found = value(row);
  if (found === null || found === undefined || found === "") {
    return "–";
  }
  if (as === "naira" && typeof found === "number") {
    return formatNaira(found);
  }
  const text = String(found);
  switch (as) {
    case "moment":
      return <time dateTime={text}>{formatShortMoment(text)}</time>;
    case "state":
      return <StateBadge state={text} />;
    case "word":
      return labelOf(text);
    default:
      return <LongWords text={text} />;
  }
}

/** The key of a row by default. */
export function idOf(row: object): string {
  return "id" in row ? String(row.id) : JSON.stringify(row);
}
