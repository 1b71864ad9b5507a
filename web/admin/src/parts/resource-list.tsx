import "~/parts/resource-list.css";
import { Download, Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { dayOf, formatMoment } from "@/lib/dates";
import { formatNaira } from "@/lib/money";
import { saveAsFile } from "@/lib/save-as-file";
import { type InPathOf, type Listing, type RowOf, splitCall } from "~/api/calls";
import { useRows } from "~/api/queries";
import { useFilters } from "~/api/use-filters";
import { type Cell, csvOf } from "~/lib/csv";
import { labelOf } from "~/lib/words";
import { Filters } from "~/parts/filters";
import { SavedViews } from "~/parts/saved-views";
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

interface ResourceListProps<C extends Listing> {
  call: C;
  inPath?: (InPathOf<C> & object) | undefined;
  columns: readonly Column<RowOf<C>>[];
  /** What tells rows apart; their id where nothing is said. */
  rowKey?: (row: RowOf<C>) => string;
  /** The screen of a row, which its first column leads to. */
  to?: (row: RowOf<C>) => string;
  /** What can be done with a row. */
  actions?: (row: RowOf<C>) => ReactNode;
  /** What is said when there is nothing. */
  empty: string;
  /** What stands beside the filters: most often the button that makes something new. */
  beside?: ReactNode;
  /** Names of filters, where the wire's are not plain. */
  labels?: Readonly<Record<string, string>>;
  /** Filters that are not shown. */
  without?: readonly string[];
  /** Asked only with these filters filled in. */
  needs?: { filter: string; least: number; sentence: string };
}

/**
 * What a call lists: filters in the address, page after page, as a table or on a phone as cards.
 *
 * What is in sight can be kept as a CSV file, and filters under a name.
 */
export function ResourceList<C extends Listing>(props: ResourceListProps<C>) {
  const { call, inPath, beside, labels, without, needs } = props;
  const filters = useFilters(call, without);
  const isReady = needs === undefined || (filters.values[needs.filter] ?? "").length >= needs.least;
  return (
    <div className="resource-list">
      <div className="list-head">
        <Filters filters={filters} labels={labels} />
        <div className="buttons">{beside}</div>
      </div>
      <SavedViews />
      {isReady ? (
        <Rows {...props} inPath={inPath} inQuery={filters.values} />
      ) : (
        <p className="muted">{needs.sentence}</p>
      )}
    </div>
  );
}

function Rows<C extends Listing>({
  inQuery,
  ...props
}: ResourceListProps<C> & { inQuery: Record<string, string> }) {
  const { call, inPath, columns, empty } = props;
  const asked = useRows(call, { inPath, inQuery });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = asked;
  return (
    <Loaded asked={asked} pending={<PendingRows />}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.rows);
        if (rows.length === 0) {
          return <EmptyState icon={Inbox} title={empty} />;
        }
        return (
          <>
            <Table {...props} rows={rows} />
            <div className="buttons list-foot">
              {hasNextPage ? (
                <Button
                  look="secondary"
                  busy={isFetchingNextPage}
                  onClick={() => void fetchNextPage()}
                >
                  Show more
                </Button>
              ) : null}
              <Button
                look="quiet"
                icon={<Download aria-hidden="true" />}
                onClick={() => saveRows(call, columns, rows)}
              >
                CSV of these rows
              </Button>
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

function Table<C extends Listing>({
  columns,
  rows,
  rowKey = idOf,
  to,
  actions,
}: ResourceListProps<C> & { rows: RowOf<C>[] }) {
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
              <td key={column.title} data-title={column.title} className={classOf(column.as)}>
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
      return text;
  }
}

function PendingRows() {
  return (
    <div className="list-pending" role="status" aria-label="Loading">
      {["100%", "92%", "97%", "88%", "95%"].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}

function idOf(row: object): string {
  return "id" in row ? String(row.id) : JSON.stringify(row);
}

function saveRows<Row>(call: Listing, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  const heads = columns.map(({ title }) => title);
  const cells = rows.map((row) => columns.map(({ value }) => value(row)));
  const name = splitCall(call)[1].split("/").at(-1) ?? "rows";
  const file = new Blob(["\uFEFF", csvOf(heads, cells)], { type: "text/csv;charset=utf-8" });
  saveAsFile(file, `${name}-${dayOf(Date.now())}.csv`);
}
