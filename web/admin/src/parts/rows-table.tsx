import "~/parts/rows-table.css";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { formatMoment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import type { Cell } from "~/lib/csv";
import { labelOf } from "~/lib/words";
import { hasLongWord, LongWords } from "~/parts/long-words";
import { StateBadge } from "~/parts/state-badge";

/** A column: what of a row stands there as text and in the file, and how it is drawn. */
export interface Column<Row> {
  title: string;
  value: (row: Row) => Cell;
  /** What it is, and so how it is drawn: naira, an ISO moment, a state of the wire, a word of it. */
  as?: "naira" | "moment" | "state" | "word" | "number";
  /** How it is drawn where that does not say enough. */
  show?: (row: Row) => ReactNode;
}

export interface RowsTableProps<Row> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** What tells rows apart; their id where nothing is said. */
  rowKey?: ((row: Row) => string) | undefined;
  /** The screen of a row, which its first column leads to. */
  to?: ((row: Row) => string) | undefined;
  /** What can be done with a row. */
  actions?: ((row: Row) => ReactNode) | undefined;
}

/** Rows as a table, or on a phone as cards. */
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

/** What a column draws by itself may hold anything; the rest says which of its words are long. */
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
      return <time dateTime={text}>{formatMoment(text)}</time>;
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
