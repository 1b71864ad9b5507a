const PREFIX = "kof-";

/** The name of the database with a member's last data on this phone (contract F-19). */
export function databaseOf(userId: string): string {
  return PREFIX + userId;
}

/**
 * Delete it, at once and in every tab: open connections close for that.
 *
 * Resolves when it is deleted, or cannot be.
 */
export function deleteLastData(userId: string): Promise<void> {
  return remove(databaseOf(userId));
}

/** Delete other members' databases, left by a phone that was switched off during a sign-out. */
export async function deleteOtherLastData(memberNow: () => string | null): Promise<void> {
  try {
    for (const { name } of await indexedDB.databases()) {
      if (name?.startsWith(PREFIX) && name.slice(PREFIX.length) !== memberNow()) {
        void remove(name);
      }
    }
  } catch {
    // No storage, or a browser that does not list databases.
  }
}

function remove(name: string): Promise<void> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.deleteDatabase(name);
      request.onsuccess = () => resolve();
      request.onerror = () => resolve();
    } catch {
      resolve(); // storage is forbidden here, so nothing was stored in it
    }
  });
}
