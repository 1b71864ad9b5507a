import { useOpeningScreen } from "@/app/opening-screens";

/** The thin bar that moves while a screen is fetched; its style holds it back for 150 ms. */
export function OpeningBar() {
  return useOpeningScreen() ? <div className="opening-bar" aria-hidden="true" /> : null;
}
