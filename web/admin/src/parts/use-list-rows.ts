import { useMemo, useState } from "react";
import type { Address } from "@/api/calls";
import type { Listing, RowOf } from "~/api/calls";
import { useRows, useWholeList } from "~/api/queries";
import { isSortable, type Sort, type SortColumn, slugOf, sortRows } from "~/lib/sorting";
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

/** The rows of a list in the order of the URL. A sorted list is loaded as a whole. */
export function useListRows<C extends Listing>(
  call: C,
  address: Address,
  columns: readonly SortColumn<RowOf<C>>[],
): ListRows<C> {
  const [sort, onSort] = useSort();
  const [wantsAll, setWantsAll] = useState(false);
  const page = useRows(call, address);
  const column = columns.find((each) => isSortable(each) && slugOf(each.title) === sort?.by);
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
