import { useOpeningScreen } from "@/app/opening-screens";

/** The thin bar that moves while a screen is fetched, from 150 ms on. */
export function OpeningBar() {
  return useOpeningScreen() ? <div className="opening-bar" aria-hidden="true" /> : null;
}
