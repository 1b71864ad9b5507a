import { useSearchParams } from "react-router-dom";
import type { Sort } from "~/lib/sorting";

const BY = "sort";
const ORDER = "order";

/** The sort of a list, kept in the URL beside the filters. */
export function useSort(): [Sort | null, (sort: Sort | null) => void] {
  const [search, setSearch] = useSearchParams();
  const by = search.get(BY);
  const sort: Sort | null = by
    ? { by, order: search.get(ORDER) === "desc" ? "desc" : "asc" }
    : null;
  const setSort = (chosen: Sort | null) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete(BY);
        next.delete(ORDER);
        if (chosen !== null) {
          next.set(BY, chosen.by);
          next.set(ORDER, chosen.order);
        }
        return next;
      },
      { replace: true },
    );
  return [sort, setSort];
}
