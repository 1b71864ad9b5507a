import { databaseOf, deleteLastData } from "@/lib/session/last-data";
import { session } from "@/lib/session/session";

/** Version of the stores and their keys; a database with a higher one is left alone. */
const VERSION = 1;
const STORE = "answers";
const MAX_RESPONSES = 40;

/** One stored answer: its query's key as text, its text, and when it came. */
export interface Row {
  key: string;
  text: string;
  updatedAt: number;
}

/** All stored data of a member; empty if storage is forbidden, damaged or newer. */
export async function readRows(userId: string): Promise<Row[]> {
  const rows = await within(userId, "readonly", (store) => store.getAll());
  return rows ?? [];
}

/** Store these rows, each replacing the one before it; beyond the limit the oldest are deleted. */
export async function writeRows(userId: string, rows: readonly Row[]): Promise<void> {
  await within(userId, "readwrite", (store) => {
    for (const row of rows) {
      store.put(row);
    }
    const all: IDBRequest<Row[]> = store.getAll();
    all.onsuccess = () => {
      const newestFirst = all.result.sort((one, other) => other.updatedAt - one.updatedAt);
      for (const { key } of newestFirst.slice(MAX_RESPONSES)) {
        store.delete(key);
      }
    };
    return all;
  });
}

/**
 * Run one transaction on a separate connection, which is closed afterwards.
 *
 * Opens only for the signed-in member: a write that comes after the end of the session must not
 * recreate the database, and an open connection must not block its removal.
 */
async function within(
  userId: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Row[]>,
): Promise<Row[] | null> {
  try {
    if (!isSignedIn(userId)) {
      return null;
    }
    const database = await open(userId);
    try {
      return isSignedIn(userId) ? await transact(database, mode, work) : null;
    } finally {
      database.close();
      if (!isSignedIn(userId)) {
        void deleteLastData(userId);
      }
    }
  } catch {
    return null; // forbidden, full, newer or damaged: the app works without
  }
}

function isSignedIn(userId: string): boolean {
  return session.read()?.id === userId;
}

function open(userId: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(databaseOf(userId), VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: "key" });
    };
    request.onsuccess = () => {
      const database = request.result;
      database.onversionchange = () => database.close();
      resolve(database);
    };
    request.onerror = () => reject(request.error);
  });
}

function transact(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Row[]>,
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode);
    const found = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(found.result);
    transaction.onabort = () => reject(transaction.error);
  });
}
