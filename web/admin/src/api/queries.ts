import {
  keepPreviousData,
  type QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import type { Address } from "@/api/calls";
import type { RegisteredKey } from "@/api/query-keys";
import type { Answered, Listing, Reading, RowOf, Taken, Writing } from "~/api/calls";
import { ask, askForFile, perform } from "~/api/client";

const ROWS_AT_ONCE = 50;
const PAGE_SIZE = 100;

/** The name of an answer: the call, and its address. Every answer of the back office has one. */
function keyOf(call: Reading | Previewing, address: Address): RegisteredKey {
  const { inPath = {}, inQuery = {} } = address;
  return ["admin", call, inPath, inQuery] as unknown as RegisteredKey;
}

interface AskOptions {
  /** Ask anew after so many milliseconds. */
  everyMs?: number;
  enabled?: boolean;
}

/** What a call reads. */
export function useAnswer<C extends Reading>(
  call: C,
  address: Address = {},
  { everyMs, enabled = true }: AskOptions = {},
): UseQueryResult<Answered<C>> {
  return useQuery({
    queryKey: keyOf(call, address),
    queryFn: ({ signal }) => ask(call, { ...address, signal }),
    refetchInterval: everyMs ?? false,
    enabled,
  });
}

/** The calls that show what would come of something, and keep nothing. */
export type Previewing = Extract<Writing, `POST ${string}/preview`>;

/** What would come of `wish`; while it is asked for, what came of the one before stays. */
export function usePreview<C extends Previewing>(
  call: C,
  wish: Address & { body?: Partial<Taken<C>> | null },
): UseQueryResult<Answered<C>> {
  return useQuery({
    queryKey: keyOf(call, { inPath: wish.inPath, inQuery: wish.body ?? {} }),
    queryFn: async ({ signal }) => (await perform(call, { ...wish, signal })).data as Answered<C>,
    placeholderData: keepPreviousData,
  });
}

/** Take as answered what has come another way. */
export function keepAnswer<C extends Reading>(
  queryClient: QueryClient,
  call: C,
  answer: Answered<C>,
): void {
  queryClient.setQueryData<Answered<C>>(keyOf(call, {}), () => answer);
}

interface Page<Row> {
  rows: Row[];
  next: string | null;
}

/** The rows that a call lists, page after page. */
export function useRows<C extends Listing>(call: C, address: Address) {
  return useInfiniteQuery({
    queryKey: keyOf(call, address),
    queryFn: async ({ pageParam, signal }) => {
      const inQuery = { ...address.inQuery, limit: ROWS_AT_ONCE, before: pageParam };
      const page = await ask(call, { ...address, inQuery, signal });
      return page as unknown as Page<RowOf<C>>;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

/** All rows that a call lists, where they are few by their nature, such as clubs. */
export function useAllRows<C extends Listing>(call: C): UseQueryResult<RowOf<C>[]> {
  return useQuery({
    queryKey: keyOf(call, { inQuery: { all: true } }),
    queryFn: ({ signal }) => askForAll(call, signal),
  });
}

/** Ask for all rows that a call lists. */
export async function askForAll<C extends Listing>(
  call: C,
  signal?: AbortSignal,
): Promise<RowOf<C>[]> {
  const rows: RowOf<C>[] = [];
  let before: string | undefined;
  do {
    const inQuery = { limit: PAGE_SIZE, before };
    const answer = await ask(call, { inQuery, ...(signal === undefined ? {} : { signal }) });
    const page = answer as unknown as Page<RowOf<C>>;
    rows.push(...page.rows);
    before = page.next ?? undefined;
  } while (before !== undefined);
  return rows;
}

/** A file that a call hands out; forgotten when nobody looks at it any more. */
export function useFile<C extends Reading>(call: C, address: Address): UseQueryResult<Blob> {
  return useQuery({
    queryKey: keyOf(call, address),
    queryFn: () => askForFile(call, address),
    gcTime: 0,
  });
}

/** After a write anything that is shown may be old: what is in sight is asked anew. */
export function markAllStale(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries();
}
