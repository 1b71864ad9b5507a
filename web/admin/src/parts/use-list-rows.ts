import { useMemo, useState } from "react";
import type { Address } from "@/api/calls";
import type { Listing, RowOf } from "~/api/calls";
import { useRows, useWholeList } from "~/api/queries";
import type { Cell } from "~/lib/csv";
import {
  isSortable,
  type Sort,
  type SortColumn,
  type SortOrder,
  slugOf,
  sortRows,
} from "~/lib/sorting";
import { useSort } from "~/lib/use-sort";

export interface ListRows<C extends Listing> {
  /** The pages of the list as the server has it. */
  page: ReturnType<typeof useRows<C>>;
  /** The loaded rows, sorted. */
  rows: readonly RowOf<C>[];
  /** There are more rows than the loaded ones. */
  isCut: boolean;
  /** The loading of all rows, where the first pages are not enough. */
  whole: ReturnType<typeof useWholeList<C>> | undefined;
  /** The rows are all of the list, as many as a screen loads. */
  isWhole: boolean;
  loadAll: () => void;
  sort: Sort | null;
  onSort: (sort: Sort | null) => void;
  isSorted: boolean;
}

/** The order in which a list opens: that of a column by its title, or one that no column has. */
export type OpeningSort<Row> = { title: string; order?: SortOrder } | { by: (row: Row) => Cell };

/**
 * The rows of a list in the order of the URL, or in that in which the list opens. A sorted list is
 * loaded as a whole.
 */
export function useListRows<C extends Listing>(
  call: C,
  address: Address,
  columns: readonly SortColumn<RowOf<C>>[],
  opening?: OpeningSort<RowOf<C>> | undefined,
): ListRows<C> {
  const [chosen, onSort] = useSort();
  const sort = chosen ?? sortOf(opening);
  const [wantsAll, setWantsAll] = useState(false);
  const page = useRows(call, address);
  const column =
    sort === null
      ? columnOf(opening)
      : columns.find((each) => isSortable(each) && slugOf(each.title) === sort.by);
  const needsAll = page.hasNextPage && (wantsAll || column !== undefined);
  const whole = useWholeList(call, address, needsAll);
  const all = needsAll ? whole.data : undefined;
  const isWhole = all !== undefined;
  const isSorted = column !== undefined && (isWhole || !needsAll);
  const order = sort?.order ?? "asc";
  const rows = useMemo(() => {
    const loaded = all?.rows ?? page.data?.pages.flatMap((each) => each.rows) ?? [];
    return isSorted ? sortRows(loaded, column, order) : loaded;
  }, [all, page.data, isSorted, column, order]);
  return {
    ...{ page, rows, isWhole, isSorted, sort, onSort },
    whole: needsAll ? whole : undefined,
    isCut: all?.isCut ?? page.hasNextPage,
    loadAll: () => setWantsAll(true),
  };
}

function sortOf<Row>(opening: OpeningSort<Row> | undefined): Sort | null {
  return opening !== undefined && "title" in opening
    ? { by: slugOf(opening.title), order: opening.order ?? "asc" }
    : null;
}

function columnOf<Row>(opening: OpeningSort<Row> | undefined): SortColumn<Row> | undefined {
  return opening !== undefined && "by" in opening ? { title: "", value: opening.by } : undefined;
}
