import "~/parts/rows-table.css";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatShortMoment } from "@/lib/format/dates";
import { formatNaira } from "@/lib/format/money";
import type { Cell } from "~/lib/csv";
import { labelOf } from "~/lib/words";
import { hasLongWord, LongWords } from "~/parts/long-words";
import { StateBadge } from "~/parts/state-badge";

/** A column: its text for table and CSV, and how it is rendered. */
export interface Column<Row> {
  title: string;
  value: (row: Row) => Cell;
  /** Its type, which decides the rendering: naira, ISO time, state or enum value. */
  as?: "naira" | "moment" | "state" | "word" | "number";
  /** A custom renderer, where the type is not enough. */
  show?: (row: Row) => ReactNode;
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
}

/** Rows as a table or, on phones, as cards. */
export function RowsTable<Row extends object>({
  columns,
  rows,
  rowKey = idOf,
  to,
  actions,
}: RowsTableProps<Row>) {
  return (
    <table className="list-table">
      <thead>
        <tr>
          {columns.map(({ title, as }) => (
            <th key={title} scope="col" className={classOf(as)}>
              {title}
            </th>
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
          <tr key={rowKey(row)}>
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
    </table>
  );
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

function idOf(row: object): string {
  return "id" in row ? String(row.id) : JSON.stringify(row);
}
