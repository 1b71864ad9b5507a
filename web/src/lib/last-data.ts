const PREFIX = "kof-";

/** The name of the database with what a member saw last on this phone (contract F-19). */
export function databaseOf(userId: string): string {
  return PREFIX + userId;
}

/**
 * Remove it, at once and in every tab: whoever has it open closes it for that.
 *
 * Ends when it is gone, or cannot be removed.
 */
export function forgetLastData(userId: string): Promise<void> {
  return remove(databaseOf(userId));
}

/** Remove what others than this member left, on a phone that was switched off at the wrong moment. */
export async function forgetLastDataOfOthers(memberNow: () => string | null): Promise<void> {
  try {
    for (const { name } of await indexedDB.databases()) {
      if (name?.startsWith(PREFIX) && name.slice(PREFIX.length) !== memberNow()) {
        void remove(name);
      }
    }
  } catch {
    // No storage, or a browser that does not list it.
  }
}

function remove(name: string): Promise<void> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = () => resolve();
      request.onerror = () => resolve();
    } catch {
      resolve(); // storage is forbidden here, so nothing was kept in it
    }
  });
}
