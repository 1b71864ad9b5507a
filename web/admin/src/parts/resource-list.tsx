import "~/parts/resource-list.css";
import { Download, Inbox } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { saveAsFile } from "@/lib/device/save-as-file";
import { dayOf } from "@/lib/format/dates";
import { type InPathOf, type Listing, type RowOf, splitCall } from "~/api/calls";
import { useRows } from "~/api/queries";
import { useFilters } from "~/api/use-filters";
import { csvOf } from "~/lib/csv";
import { Filters } from "~/parts/filters";
import type { ResourceFieldsLayout } from "~/parts/resource-fields";
import { type Column, RowsTable, type RowsTableProps } from "~/parts/rows-table";
import { SavedViews } from "~/parts/saved-views";

interface ResourceListProps<C extends Listing> extends Omit<RowsTableProps<RowOf<C>>, "rows"> {
  call: C;
  inPath?: (InPathOf<C> & object) | undefined;
  /** The text of an empty list. */
  empty: string;
  /** Content beside the filters: usually the button that creates an item. */
  beside?: ReactNode;
  /** Labels of filters whose wire names are unclear. */
  labels?: Readonly<Record<string, string>>;
  /** Filters with custom controls. */
  controls?: ResourceFieldsLayout["controls"];
  /** Hidden filters. */
  without?: readonly string[];
  /** Fetched only when these filters are set. */
  needs?: { filter: string; minLength: number; sentence: string };
}

/**
 * A list call: filters in the URL, paged, as a table or, on phones, as cards.
 *
 * The loaded rows can be saved as CSV, and the filters as a named view.
 */
export function ResourceList<C extends Listing>(props: ResourceListProps<C>) {
  const { call, inPath, beside, labels, controls, without, needs } = props;
  const filters = useFilters(call, without);
  const isReady =
    needs === undefined || (filters.values[needs.filter] ?? "").length >= needs.minLength;
  return (
    <div className="resource-list">
      <div className="list-head">
        <Filters filters={filters} labels={labels} controls={controls} />
        {beside === undefined ? null : <div className="buttons">{beside}</div>}
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
    <Loaded query={asked} pending={<PendingRows />}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.rows);
        if (rows.length === 0) {
          return <EmptyState icon={Inbox} title={empty} />;
        }
        return (
          <>
            <RowsTable {...props} rows={rows} />
            <div className="buttons list-foot">
              {hasNextPage ? (
                <Button
                  variant="secondary"
                  busy={isFetchingNextPage}
                  onClick={() => void fetchNextPage()}
                >
                  Show more
                </Button>
              ) : null}
              <Button
                variant="quiet"
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

function PendingRows() {
  return (
    <div className="list-pending" role="status" aria-label="Loading">
      {["100%", "92%", "97%", "88%", "95%"].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}

function saveRows<Row>(call: Listing, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  const heads = columns.map(({ title }) => title);
  const cells = rows.map((row) => columns.map(({ value }) => value(row)));
  const name = splitCall(call)[1].split("/").at(-1) ?? "rows";
  const file = new Blob(["\uFEFF", csvOf(heads, cells)], { type: "text/csv;charset=utf-8" });
  saveAsFile(file, `${name}-${dayOf(Date.now())}.csv`);
}
