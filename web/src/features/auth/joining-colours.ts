import { storedValue } from "@/lib/device/storage";
import { clubPair } from "@/lib/format/colours";
import { usePageColours } from "@/lib/ui/use-page-colours";

/** The colours of the club that a new member joins in this tab. */
export const joiningColours = storedValue(
  "joining-colours",
  (stored) => (Array.isArray(stored) ? clubPair(stored) : null),
  "for-this-tab",
);

/** Keep a new member's colours on the screens between the sign-up and the first dashboard. */
export function useJoiningColours(): void {
  usePageColours(joiningColours.read());
}
