import "~/parts/resource-list.css";
import { Download, Inbox } from "lucide-react";
import { type ReactNode, useLayoutEffect, useState } from "react";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { saveAsFile } from "@/lib/device/save-as-file";
import { formatCount } from "@/lib/format/counts";
import { dayOf } from "@/lib/format/dates";
import { messageOf } from "@/lib/live/failures";
import { type InPathOf, type Listing, type RowOf, splitCall } from "~/api/calls";
import { MAX_ROWS } from "~/api/queries";
import { type ListFilters, useFilters } from "~/api/use-filters";
import { csvOf } from "~/lib/csv";
import { countOf, type Noun } from "~/lib/nouns";
import { nextSort } from "~/lib/sorting";
import { useFocusHeir } from "~/lib/use-focus-heir";
import { useMedia } from "~/lib/use-media";
import { type BulkAction, BulkBar } from "~/parts/bulk-bar";
import { Filters } from "~/parts/filters";
import type { ResourceFieldsLayout } from "~/parts/resource-fields";
import { type Column, idOf, RowsTable, type RowsTableProps } from "~/parts/rows-table";
import { SavedViews } from "~/parts/saved-views";
import { SortChoice } from "~/parts/sort-choice";
import { type ListRows, type OpeningSort, useListRows } from "~/parts/use-list-rows";
import { useSelection } from "~/parts/use-selection";

interface ResourceListProps<C extends Listing>
  extends Omit<RowsTableProps<RowOf<C>>, "rows" | "sorting" | "selection" | "totals" | "busy"> {
  call: C;
  inPath?: (InPathOf<C> & object) | undefined;
  /** The text of an empty list. */
  empty: string;
  /** What a row is: `order`. */
  noun: Noun;
  /** What can be done with several rows at once. */
  bulk?: readonly BulkAction<RowOf<C>>[];
  /** The name of a row's checkbox; its first column by default. */
  nameOf?: (row: RowOf<C>) => string;
  /** Content beside the filters: usually the button that creates an item. */
  beside?: ReactNode;
  /** Links to the list with usual filters. */
  views?: ReactNode;
  /** Labels of filters whose wire names are unclear. */
  labels?: Readonly<Record<string, string>>;
  /** Filters with custom controls. */
  controls?: ResourceFieldsLayout["controls"];
  /** Hidden filters. */
  without?: readonly string[];
  /** A filter that the server accepts from this length on. */
  atLeast?: { filter: string; length: number; sentence: string };
  /** The order in which a short list opens; without it, that of the server: the newest first. */
  sortedBy?: OpeningSort<RowOf<C>>;
}

/**
 * A list call: filters and sort in the URL, paged, as a table or, on phones, as cards.
 *
 * An empty list without filters shows none. A sort is that of the whole list, so it loads all rows.
 * The loaded rows can be saved as CSV, the filters and the sort as a named view.
 */
export function ResourceList<C extends Listing>(props: ResourceListProps<C>) {
  const { call, inPath, beside, labels, controls, without, atLeast, views } = props;
  const filters = useFilters(call, without);
  const isTooShort =
    atLeast !== undefined &&
    (filters.values[atLeast.filter]?.length ?? atLeast.length) < atLeast.length;
  const [isEmpty, setEmpty] = useState(false);
  return (
    <div className="resource-list">
      <Head beside={beside}>
        {canFilter(filters, isEmpty) ? (
          <Filters filters={filters} labels={labels} controls={controls} />
        ) : null}
      </Head>
      <SavedViews ready={views} />
      {isTooShort ? (
        <p className="muted">{atLeast.sentence}</p>
      ) : (
        <Rows
          key={JSON.stringify([inPath, filters.values])}
          {...props}
          inPath={inPath}
          inQuery={filters.values}
          onEmpty={setEmpty}
        />
      )}
    </div>
  );
}

/** Whether there are filters, and rows to filter or a filter that left none. */
function canFilter({ facts, values }: ListFilters, isEmpty: boolean): boolean {
  return Object.keys(facts).length > 0 && (!isEmpty || Object.keys(values).length > 0);
}

function Head({ beside, children }: { beside: ReactNode; children: ReactNode }) {
  return children === null && beside === undefined ? null : (
    <div className="list-head">
      {children}
      {beside === undefined ? null : <div className="buttons">{beside}</div>}
    </div>
  );
}

function Rows<C extends Listing>({
  inQuery,
  onEmpty,
  ...props
}: ResourceListProps<C> & {
  inQuery: Record<string, string>;
  onEmpty: (isEmpty: boolean) => void;
}) {
  const { call, inPath, columns, sortedBy } = props;
  const list = useListRows(call, { inPath, inQuery }, columns, sortedBy);
  const isEmpty = list.page.isSuccess && list.rows.length === 0;
  useLayoutEffect(() => onEmpty(isEmpty), [isEmpty, onEmpty]);
  return (
    <Loaded query={list.page} pending={<PendingRows />}>
      {() => <LoadedRows {...props} list={list} isFiltered={Object.keys(inQuery).length > 0} />}
    </Loaded>
  );
}

const CARDS = "(max-width: 899px)";
/** The number of rows that a fully loaded list shows at a time: more make the page slow. */
const SHOWN_AT_ONCE = 200;

function LoadedRows<C extends Listing>({
  list,
  isFiltered,
  ...props
}: ResourceListProps<C> & { list: ListRows<C>; isFiltered: boolean }) {
  const {
    call,
    columns,
    empty,
    noun,
    bulk = [],
    rowKey = idOf,
    nameOf = firstOf(columns),
    sortedBy,
  } = props;
  const { rows, isWhole, sort, onSort } = list;
  const areCards = useMedia(CARDS);
  const [room, setRoom] = useState(SHOWN_AT_ONCE);
  const shown = isWhole ? rows.slice(0, room) : rows;
  const { selection, toggleAll, bar } = useSelection({ rows, shown, bulk, rowKey, nameOf });
  if (rows.length === 0) {
    return (
      <div className="list-body">
        <EmptyState icon={Inbox} title={empty}>
          {isFiltered ? <p>Nothing matches these filters.</p> : null}
        </EmptyState>
        <BulkBar noun={noun} {...bar} />
      </div>
    );
  }
  return (
    <div className="list-body">
      <div className="list-bar">
        <Count list={list} noun={noun} />
        {toggleAll}
        {areCards ? (
          <SortChoice
            columns={columns}
            sort={sort}
            onSort={onSort}
            hasUsual={sortedBy === undefined || "by" in sortedBy}
          />
        ) : null}
      </div>
      <NotLoaded list={list} />
      <RowsTable
        {...props}
        rows={shown}
        busy={isLoadingAll(list)}
        sorting={areCards ? undefined : { sort, onSort: (by) => onSort(nextSort(sort, by)) }}
        selection={selection}
        totals={totalsOf(columns, list, noun)}
      />
      {list.isSorted && list.isCut ? (
        <p className="muted small">Sorted among the {formatCount(MAX_ROWS)} newest rows.</p>
      ) : null}
      <div className="buttons list-foot">
        <ShowMore
          list={list}
          isAllShown={shown.length === rows.length}
          onMore={() => setRoom(room + SHOWN_AT_ONCE)}
        />
        <Button
          variant="quiet"
          icon={<Download aria-hidden="true" />}
          onClick={() => saveRows(call, columns, rows)}
        >
          Export CSV
        </Button>
      </div>
      <BulkBar noun={noun} {...bar} />
    </div>
  );
}

interface ListProps<C extends Listing> {
  list: ListRows<C>;
}

function isLoadingAll<C extends Listing>({ whole }: ListRows<C>): boolean {
  return whole?.isPending === true;
}

/** The number of rows. */
function Count<C extends Listing>({ list, noun }: ListProps<C> & { noun: Noun }) {
  const count = countOf(list.rows.length, noun);
  const text = list.isCut ? `The first ${count}` : count;
  return (
    <p className="muted" role="status">
      {isLoadingAll(list) ? "Loading all rows…" : text}
    </p>
  );
}

function NotLoaded<C extends Listing>({ list: { whole } }: ListProps<C>) {
  return whole?.isLoadingError === true ? (
    <p className="notice notice-warn">
      {messageOf(whole.error)}{" "}
      <Button variant="quiet" onClick={() => void whole.refetch()}>
        Try again
      </Button>
    </p>
  ) : null;
}

interface ShowMoreProps<C extends Listing> extends ListProps<C> {
  isAllShown: boolean;
  onMore: () => void;
}

/** Shows more of the loaded rows, or loads the next page. */
function ShowMore<C extends Listing>({
  list: { page, whole, isWhole },
  isAllShown,
  onMore,
}: ShowMoreProps<C>) {
  if (isWhole) {
    return isAllShown ? null : (
      <Button variant="secondary" onClick={onMore}>
        Show more
      </Button>
    );
  }
  return page.hasNextPage && whole === undefined ? (
    <Button
      variant="secondary"
      busy={page.isFetchingNextPage}
      onClick={() => void page.fetchNextPage()}
    >
      Show more
    </Button>
  ) : null;
}

/** The last row of a list whose columns add up; a single row needs none. */
function totalsOf<C extends Listing>(
  columns: readonly Column<RowOf<C>>[],
  list: ListRows<C>,
  noun: Noun,
) {
  const { rows, isCut, isWhole, loadAll } = list;
  if (!columns.some(({ total }) => total) || (rows.length === 1 && !isCut)) {
    return undefined;
  }
  const what = isCut ? `the first ${formatCount(rows.length)}` : countOf(rows.length, noun);
  const label = (
    <span className="list-total">
      Total of {what}
      {isCut && !isWhole ? <LoadAll busy={isLoadingAll(list)} onLoadAll={loadAll} /> : null}
    </span>
  );
  return { rows, label };
}

function LoadAll({ busy, onLoadAll }: { busy: boolean; onLoadAll: () => void }) {
  const ref = useFocusHeir();
  return (
    <Button ref={ref} variant="quiet" busy={busy} onClick={onLoadAll}>
      Load all
    </Button>
  );
}

/** The name of a row by default: its first column. */
function firstOf<Row>([first]: readonly Column<Row>[]): (row: Row) => string {
  return (row) => String(first?.value(row) ?? "");
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
