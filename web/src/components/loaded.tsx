import "@/components/loaded.css";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { ErrorState } from "@/components/error-state";
import { useOnline } from "@/lib/device/online";
import { formatSince } from "@/lib/format/dates";
import { unreadMessageOf } from "@/lib/live/failures";

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
 * Loaded data stays, however often a refetch fails; a quiet line shows its age.
 */
export function Loaded<Data>({
  query,
  pending,
  sentence = unreadMessageOf,
  children,
}: LoadedProps<Data>) {
  const { data, error, refetch } = query;
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
    <ErrorState message={sentence(error)} onRetry={() => void refetch()} />
  );
}

/** The age of data that cannot be refetched; nothing while it is fresh. */
export function Freshness({ query }: { query: QueryState<unknown> }) {
  const { data, error, dataUpdatedAt, refetch } = query;
  const isOnline = useOnline();
  if (data === undefined || (error === null && isOnline)) {
    return null;
  }
  return (
    <p className="freshness" role="status">
      As of {formatSince(dataUpdatedAt)}
      <button
        type="button"
        className="icon-button"
        aria-label="Refresh"
        title="Refresh"
        onClick={() => void refetch()}
      >
        <RotateCw aria-hidden="true" />
      </button>
    </p>
  );
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
