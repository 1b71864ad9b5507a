import { useOpeningScreen } from "@/app/opening-screens";

/** The thin progress bar while a screen loads, from 150 ms on. */
export function OpeningBar() {
  return useOpeningScreen() ? <div className="opening-bar" aria-hidden="true" /> : null;
}
