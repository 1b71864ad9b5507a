import {
  keepPreviousData,
  type QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from "@tanstack/react-query";
import type { Address } from "@/api/calls";
import type { RegisteredKey } from "@/api/query-keys";
import type { BodyOf, Listing, Reading, ResponseOf, RowOf, Writing } from "~/api/calls";
import { ask, downloadFile, perform } from "~/api/client";

const ROWS_AT_ONCE = 50;
const PAGE_SIZE = 100;

/** The query key: the call and its address. Every query of the back office has one. */
function keyOf(call: Reading | Previewing, address: Address): RegisteredKey {
  const { inPath = {}, inQuery = {} } = address;
  return ["admin", call, inPath, inQuery] as unknown as RegisteredKey;
}

interface FetchOptions {
  /** The refetch interval in milliseconds. */
  everyMs?: number;
  enabled?: boolean;
}

/** What a call reads. */
export function useAnswer<C extends Reading>(
  call: C,
  address: Address = {},
  { everyMs, enabled = true }: FetchOptions = {},
): UseQueryResult<ResponseOf<C>> {
  return useQuery({
    queryKey: keyOf(call, address),
    queryFn: ({ signal }) => ask(call, { ...address, signal }),
    refetchInterval: everyMs ?? false,
    enabled,
  });
}

/** Calls that preview a change and store nothing. */
export type Previewing = Extract<Writing, `POST ${string}/preview`>;

/** A preview of `request`; the previous one stays while it loads. */
export function usePreview<C extends Previewing>(
  call: C,
  request: Address & { body?: Partial<BodyOf<C>> | null },
): UseQueryResult<ResponseOf<C>> {
  return useQuery({
    queryKey: keyOf(call, { inPath: request.inPath, inQuery: request.body ?? {} }),
    queryFn: async ({ signal }) =>
      (await perform(call, { ...request, signal })).data as ResponseOf<C>,
    placeholderData: keepPreviousData,
  });
}

/** Write data that arrived another way into the query cache. */
export function cacheResponse<C extends Reading>(
  queryClient: QueryClient,
  call: C,
  answer: ResponseOf<C>,
): void {
  queryClient.setQueryData<ResponseOf<C>>(keyOf(call, {}), () => answer);
}

interface Page<Row> {
  rows: Row[];
  next: string | null;
}

/** The rows of a list call, page by page. */
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

/** The maximum number of rows that a screen sorts or adds up. */
export const MAX_ROWS = 2000;

interface WholeList<Row> {
  rows: Row[];
  /** There are more than `MAX_ROWS`. */
  isCut: boolean;
}

/** The rows of a list call from its first to its last, at most `MAX_ROWS`. */
export function useWholeList<C extends Listing>(
  call: C,
  address: Address,
  enabled: boolean,
): UseQueryResult<WholeList<RowOf<C>>> {
  return useQuery({
    queryKey: keyOf(call, { ...address, inQuery: { ...address.inQuery, upTo: MAX_ROWS } }),
    queryFn: ({ signal }) => fetchUpTo(call, MAX_ROWS, { ...address, signal }),
    enabled,
  });
}

async function fetchUpTo<C extends Listing>(
  call: C,
  most: number,
  address: Address & { signal?: AbortSignal },
): Promise<WholeList<RowOf<C>>> {
  const rows: RowOf<C>[] = [];
  let before: string | undefined;
  do {
    const inQuery = { ...address.inQuery, limit: PAGE_SIZE, before };
    const page = (await ask(call, { ...address, inQuery })) as unknown as Page<RowOf<C>>;
    rows.push(...page.rows);
    before = page.next ?? undefined;
  } while (before !== undefined && rows.length < most);
  return { rows: rows.slice(0, most), isCut: before !== undefined || rows.length > most };
}

/** All rows of a list call, for short lists such as clubs. */
export function useAllRows<C extends Listing>(call: C): UseQueryResult<RowOf<C>[]> {
  return useQuery({
    queryKey: keyOf(call, { inQuery: { all: true } }),
    queryFn: ({ signal }) => fetchAll(call, signal),
  });
}

/** Fetch all rows of a list call. */
export async function fetchAll<C extends Listing>(
  call: C,
  signal?: AbortSignal,
): Promise<RowOf<C>[]> {
  const address = signal === undefined ? {} : { signal };
  return (await fetchUpTo(call, Number.POSITIVE_INFINITY, address)).rows;
}

/** A file that a call returns; dropped from the cache once no component uses it. */
export function useFile<C extends Reading>(call: C, address: Address): UseQueryResult<Blob> {
  return useQuery({
    queryKey: keyOf(call, address),
    queryFn: () => downloadFile(call, address),
    gcTime: 0,
  });
}

/** Any query may be stale after a write: refetch the mounted ones. */
export function markAllStale(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries();
}
