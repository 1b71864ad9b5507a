import { useLayoutEffect } from "react";
import { clubStyle } from "@/lib/colours";
import { useMember } from "@/lib/session";

/**
 * Dress the whole page in the colours of the member's club while the shell is open.
 *
 * Before it is painted: the whole page would be styled a second time for them.
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
