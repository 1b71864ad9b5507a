import { useLayoutEffect } from "react";
import { clubStyle } from "@/lib/format/colours";
import { useMember } from "@/lib/session/session";

/**
 * Apply the colours of the member's club to the whole page while the shell is open.
 *
 * In a layout effect: after the first paint the whole page would be styled a second time.
 */
export function useClubColours(): void {
  const { clubColours } = useMember();
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const properties = Object.entries(clubStyle(clubColours));
    for (const [name, colour] of properties) {
      style.setProperty(name, colour);
    }
    return () => {
      for (const [name] of properties) {
        style.removeProperty(name);
      }
    };
  }, [clubColours]);
}
