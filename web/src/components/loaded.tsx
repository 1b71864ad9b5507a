import type { ReactNode } from "react";
import { ErrorState } from "@/components/error-state";
import { useOnline } from "@/lib/device/online";
import { NEEDS_A_CONNECTION } from "@/lib/live/failures";
import { isUnreached, unreadMessageOf } from "@/lib/live/unread-message";
import { useOldData } from "@/lib/ui/status";

const ONLINE_HINT = "Other screens may still work.";
const OFFLINE_HINT = "Screens that you opened earlier still show.";

/** The state of a query, as screens use it. */
export interface QueryState<Data> {
  data: Data | undefined;
  /** Why the latest fetch failed; earlier data stays beside it. */
  error: Error | null;
  /** When `data` was read, in epoch milliseconds. */
  dataUpdatedAt: number;
  refetch: () => unknown;
}

interface LoadedProps<Data> {
  query: QueryState<Data>;
  /** Shown until the first answer; as high as the content. */
  pending: ReactNode;
  /** The error's text, if the specification has one. */
  sentence?: (error: Error) => string;
  children: (data: Data) => ReactNode;
}

/**
 * The states of a query: waiting, failed, loaded.
 *
 * Loaded data stays, however often a refetch fails; the status area shows its age.
 */
export function Loaded<Data>({
  query,
  pending,
  sentence = unreadMessageOf,
  children,
}: LoadedProps<Data>) {
  const { data, error, refetch } = query;
  useOnline(); // decides what is said of a failure
  if (data !== undefined) {
    return (
      <>
        <Freshness query={query} />
        {children(data)}
      </>
    );
  }
  return error === null ? (
    pending
  ) : (
    <ErrorState
      message={isUnreached(error) ? NEEDS_A_CONNECTION : sentence(error)}
      hint={isUnreached(error) ? OFFLINE_HINT : ONLINE_HINT}
      onRetry={() => void refetch()}
    />
  );
}

/** Reports the age of data that cannot be refetched to the status area. */
export function Freshness({ query }: { query: QueryState<unknown> }) {
  const { data, error, dataUpdatedAt, refetch } = query;
  const isOnline = useOnline();
  const isOld = data !== undefined && (error !== null || !isOnline);
  useOldData(isOld ? dataUpdatedAt : null, () => void refetch());
  return null;
}

/** Several queries as one: loaded when all are, failed when one did. */
export function together<First, Second>(
  first: QueryState<First>,
  second: QueryState<Second>,
): QueryState<[First, Second]> {
  const isThere = first.data !== undefined && second.data !== undefined;
  return {
    data: isThere ? [first.data as First, second.data as Second] : undefined,
    error: first.error ?? second.error,
    dataUpdatedAt: Math.min(first.dataUpdatedAt, second.dataUpdatedAt),
    refetch: () => Promise.all([first.refetch(), second.refetch()]),
  };
}
