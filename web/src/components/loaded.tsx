import "@/components/loaded.css";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { ErrorState } from "@/components/error-state";
import { formatSince } from "@/lib/dates";
import { unreadMessageOf } from "@/lib/failures";
import { useOnline } from "@/lib/online";

/** What a screen knows of something that it asked the server for. */
export interface Asked<Data> {
  data: Data | undefined;
  /** Why the latest asking failed; data that were read before stay beside it. */
  error: Error | null;
  /** When `data` were read, in epoch milliseconds. */
  dataUpdatedAt: number;
  refetch: () => unknown;
}

interface LoadedProps<Data> {
  asked: Asked<Data>;
  /** What stands there until the first answer, as high as what follows. */
  pending: ReactNode;
  /** The sentence for a failure, where the specification has one of its own. */
  sentence?: (error: Error) => string;
  children: (data: Data) => ReactNode;
}

/**
 * The faces of something asked for: waiting, failed, there.
 *
 * What was read once stays, however often asking anew fails; a quiet line says how old it is.
 */
export function Loaded<Data>({
  asked,
  pending,
  sentence = unreadMessageOf,
  children,
}: LoadedProps<Data>) {
  const { data, error, refetch } = asked;
  if (data !== undefined) {
    return (
      <>
        <Freshness asked={asked} />
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

/** How old the data are, where they cannot be read anew; nothing while they are fresh. */
export function Freshness({ asked }: { asked: Asked<unknown> }) {
  const { data, error, dataUpdatedAt, refetch } = asked;
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

/** Several things that a screen needs together: there when all are, failed when one did. */
export function together<First, Second>(
  first: Asked<First>,
  second: Asked<Second>,
): Asked<[First, Second]> {
  const isThere = first.data !== undefined && second.data !== undefined;
  return {
    data: isThere ? [first.data as First, second.data as Second] : undefined,
    error: first.error ?? second.error,
    dataUpdatedAt: Math.min(first.dataUpdatedAt, second.dataUpdatedAt),
    refetch: () => Promise.all([first.refetch(), second.refetch()]),
  };
}
