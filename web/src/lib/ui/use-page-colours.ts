import { useLayoutEffect } from "react";
import { clubStyle } from "@/lib/format/colours";

/**
 * Apply a club's colours to the whole page while the caller is open; null for no club.
 *
 * In a layout effect: after the first paint the whole page would be styled a second time.
 */
export function usePageColours(colours: readonly string[] | null | undefined): void {
  useLayoutEffect(() => {
    if (colours === null) {
      return;
    }
    const { style } = document.documentElement;
    const properties = Object.entries(clubStyle(colours));
    for (const [name, colour] of properties) {
      style.setProperty(name, colour);
    }
    return () => {
      for (const [name] of properties) {
        style.removeProperty(name);
      }
    };
  }, [colours]);
}
