import { hashKey, type Query, type QueryClient } from "@tanstack/react-query";
import { type Row, readRows, writeRows } from "@/app/last-data/database";
import { type KeptAnswer, keptKeys, read, written } from "@/app/last-data/kept";

/** Answers come in swarms when a screen opens: they are written together. */
const WRITE_AFTER_MS = 1000;

/** What was kept of a member, and the way to keep more. */
interface Keeper {
  /** Put what is kept in the places that know nothing newer; it is asked for anew at once. */
  fill: (client: QueryClient) => void;
  /** Keep every answer from now on; returns how to stop, which drops what is not written. */
  follow: (client: QueryClient) => () => void;
}

/** Open what this phone keeps of a member; never fails. */
export async function openKeeper(userId: string): Promise<Keeper> {
  const rows = await readRows(userId);
  const answers = rows.map(({ text }) => read(text, userId)).filter((answer) => answer !== null);
  return {
    fill: (client) => fill(client, userId, answers),
    follow: (client) => follow(client, userId, (rows) => void writeRows(userId, rows)),
  };
}

/** Restore answers with the time they came at, unless something newer is there. */
export function fill(client: QueryClient, userId: string, answers: readonly KeptAnswer[]): void {
  for (const queryKey of keptKeys(userId)) {
    // What nobody looks at yet is still wanted when its screen is opened without a network.
    client.setQueryDefaults(queryKey, { gcTime: Number.POSITIVE_INFINITY });
  }
  for (const { queryKey, data, updatedAt } of answers) {
    if ((client.getQueryState(queryKey)?.dataUpdatedAt ?? 0) >= updatedAt) {
      continue;
    }
    client.setQueryData(queryKey, data, { updatedAt });
    // A call that is on its way is not sent twice.
    const options = { cancelRefetch: false };
    void client.invalidateQueries({ queryKey, exact: true }, options).catch(() => undefined);
  }
}

/** Hand over every kept answer of the client, some time after it came. */
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
      timer ??= setTimeout(flush, WRITE_AFTER_MS);
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
