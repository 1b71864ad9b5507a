import { useEffect, useRef, useSyncExternalStore } from "react";

/** A screen's own connection, while it is not open. */
export interface LinkStatus {
  text: string;
  /** Replaces `text` without a network, where it is known what happens next. */
  offline?: string;
  /** Offered once all retries have failed. */
  reconnect?: () => void;
}

/** Data that could not be refetched. */
export interface OldData {
  /** When it was read, in epoch milliseconds. */
  updatedAt: number;
  refresh: () => void;
}

/** What the open screen reports to the status area below the header. */
interface Reports {
  links: readonly LinkStatus[];
  oldData: readonly OldData[];
}

let reports: Reports = { links: [], oldData: [] };
const listeners = new Set<() => void>();

function change(next: Partial<Reports>): void {
  reports = { ...reports, ...next };
  for (const listener of listeners) {
    listener();
  }
}

function reportLink(link: LinkStatus): () => void {
  change({ links: [...reports.links, link] });
  return () => change({ links: reports.links.filter((other) => other !== link) });
}

function reportOldData(old: OldData): () => void {
  change({ oldData: [...reports.oldData, old] });
  return () => change({ oldData: reports.oldData.filter((other) => other !== old) });
}

/** Report the screen's connection while `status` is not null. */
export function useLinkStatus(status: LinkStatus | null): void {
  const { text, offline, reconnect } = status ?? {};
  useEffect(() => {
    if (text === undefined) {
      return;
    }
    return reportLink({
      text,
      ...(offline === undefined ? {} : { offline }),
      ...(reconnect === undefined ? {} : { reconnect }),
    });
  }, [text, offline, reconnect]);
}

/** Report that the data of `updatedAt` cannot be refetched now; null while it is fresh. */
export function useOldData(updatedAt: number | null, refresh: () => void): void {
  const newest = useRef(refresh);
  newest.current = refresh;
  useEffect(
    () =>
      updatedAt === null
        ? undefined
        : reportOldData({ updatedAt, refresh: () => newest.current() }),
    [updatedAt],
  );
}

export function useReports(): Reports {
  return useSyncExternalStore(subscribe, () => reports);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
