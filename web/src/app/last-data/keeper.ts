import { hashKey, type Query, type QueryClient } from "@tanstack/react-query";
import { type Row, readRows, writeRows } from "@/app/last-data/database";
import { read, type StoredAnswer, storedKeys, written } from "@/app/last-data/kept";
import { hasNoNetwork } from "@/lib/device/online";
import { isRecord } from "@/lib/device/storage";

/** Answers come in bursts when a screen opens: they are written together. */
const WRITE_DELAY_MS = 1000;

/** A member's stored data, and a way to store more. */
interface LastDataStore {
  /** Put stored data into the cache unless it has newer data; it is refetched at once. */
  fill: (client: QueryClient) => void;
  /** Store every answer from now on; returns a function that stops and drops unwritten answers. */
  follow: (client: QueryClient) => () => void;
}

/** Open a member's stored data; never fails. */
export async function openLastDataStore(userId: string): Promise<LastDataStore> {
  const rows = await readRows(userId);
  const answers = rows.map(({ text }) => read(text, userId)).filter((answer) => answer !== null);
  return {
    fill: (client) => fill(client, userId, answers),
    follow: (client) => follow(client, userId, (rows) => void writeRows(userId, rows)),
  };
}

/**
 * Restore answers with their original time, unless the cache has newer ones.
 *
 * With a network, an empty list is left to the server: an old "nothing" reads like a fact.
 */
export function fill(client: QueryClient, userId: string, answers: readonly StoredAnswer[]): void {
  for (const queryKey of storedKeys(userId)) {
    // Unused queries are still wanted when their screen is opened offline.
    client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
  }
  for (const { queryKey, data, updatedAt } of answers) {
    const isKnown = (client.getQueryState(queryKey)?.dataUpdatedAt ?? 0) >= updatedAt;
    if (isKnown || (isEmptyList(data) && !hasNoNetwork())) {
      continue;
    }
    client.setQueryData(queryKey, data, { updatedAt });
    // A call in progress is not sent twice.
    const options = { cancelRefetch: false };
    void client.invalidateQueries({ queryKey, exact: true }, options).catch(() => undefined);
  }
}

/** Whether an answer is a list, whole or in pages, without a row. */
function isEmptyList(data: unknown): boolean {
  if (Array.isArray(data)) {
    return data.length === 0;
  }
  const { rows, pages } = isRecord(data) ? data : {};
  return Array.isArray(pages) ? pages.every(isEmptyList) : Array.isArray(rows) && rows.length === 0;
}

/** Hand over every storable answer of the client, some time after it came. */
export function follow(
  client: QueryClient,
  userId: string,
  write: (rows: Row[]) => void,
): () => void {
  const fresh = new Map<string, Row>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = () => {
    timer = null;
    write([...fresh.values()]);
    fresh.clear();
  };
  const note = (query: Query) => {
    const row = rowOf(query, userId);
    if (row !== null) {
      fresh.set(row.key, row);
      timer ??= setTimeout(flush, WRITE_DELAY_MS);
    }
  };
  for (const query of client.getQueryCache().getAll()) {
    if (!query.state.isInvalidated) {
      note(query);
    }
  }
  const stop = client.getQueryCache().subscribe((event) => {
    if (event.type === "updated" && event.action.type === "success") {
      note(event.query);
    }
  });
  return () => {
    stop();
    if (timer !== null) {
      clearTimeout(timer);
    }
  };
}

function rowOf({ queryKey, state }: Query, userId: string): Row | null {
  const { data, dataUpdatedAt: updatedAt } = state;
  const text = written({ queryKey, data, updatedAt }, userId);
  return text === null ? null : { key: hashKey(queryKey), text, updatedAt };
}
