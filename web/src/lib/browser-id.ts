import { newKey } from "@/lib/attempts";
import { storedValue } from "@/lib/storage";

const kept = storedValue<string>("browser-id", (stored) =>
  typeof stored === "string" && stored !== "" ? stored : null,
);

/** A random name of this browser, the same for everybody who signs up or in here. */
export function browserId(): string {
  const id = kept.read() ?? newKey();
  kept.write(id);
  return id;
}
