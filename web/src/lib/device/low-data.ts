import { useSyncExternalStore } from "react";
import { storedValue } from "@/lib/device/storage";

/** Whether the member turned on data saver mode; off by default. */
export const lowDataChoice = storedValue<boolean>("low-data", (stored) =>
  typeof stored === "boolean" ? stored : null,
);

/**
 * Whether to save data: no autoplay, small pictures, no prefetching.
 *
 * Without a choice of the member's own, the browser's data saver decides.
 */
export function sparesData(): boolean {
  return lowDataChoice.read() ?? browserSparesData();
}

/** Subscribe a component to `sparesData`. */
export function useLowData(): boolean {
  return useSyncExternalStore(lowDataChoice.subscribe, sparesData);
}

function browserSparesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
