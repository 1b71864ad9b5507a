import { useSyncExternalStore } from "react";
import { storedValue } from "@/lib/storage";

/** Whether the member asked the app to spare mobile data; off until they say so. */
export const lowDataChoice = storedValue<boolean>("low-data", (stored) =>
  typeof stored === "boolean" ? stored : null,
);

/**
 * Say whether to spare data: no autoplay, small pictures, nothing fetched before it is asked for.
 *
 * Without a choice of the member's own, the browser's data saver decides.
 */
export function sparesData(): boolean {
  return lowDataChoice.read() ?? browserSparesData();
}

/** Follow `sparesData` in a component. */
export function useLowData(): boolean {
  return useSyncExternalStore(lowDataChoice.subscribe, sparesData);
}

function browserSparesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
