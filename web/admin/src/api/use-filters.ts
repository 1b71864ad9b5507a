import { useSearchParams } from "react-router-dom";
import { factsOf, type Listing } from "~/api/calls";
import type { Fields } from "~/lib/facts";

export interface ListFilters {
  facts: Fields;
  /** The filters that are set. */
  values: Record<string, string>;
  /** Set filters; an empty value removes one. */
  set: (values: Readonly<Record<string, string>>) => void;
}

/** The filters that `call` accepts, kept in the URL so that a list can be shared. */
export function useFilters(call: Listing, without: readonly string[] = []): ListFilters {
  const [search, setSearch] = useSearchParams();
  const all = Object.entries(factsOf(call).query ?? {});
  const facts = Object.fromEntries(all.filter(([name]) => !without.includes(name)));
  const values = Object.fromEntries(
    Object.keys(facts).flatMap((name) => {
      const value = search.get(name);
      return value === null || value === "" ? [] : [[name, value]];
    }),
  );
  const set = (changed: Readonly<Record<string, string>>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changed)) {
          if (value === "") {
            next.delete(name);
          } else {
            next.set(name, value);
          }
        }
        return next;
      },
      { replace: true },
    );
  return { facts, values, set };
}
