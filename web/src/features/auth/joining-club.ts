import { useLayoutEffect } from "react";
import { isRecord, storedValue } from "@/lib/device/storage";
import { clubPair } from "@/lib/format/colours";
import { usePageColours } from "@/lib/ui/use-page-colours";

/** What the screens between the sign-up and the first dashboard show of the club. */
export interface JoiningClub {
  name: string;
  emblem: string;
  colours: [string, string];
}

/** The club that a new member joins in this tab. */
export const joiningClub = storedValue("joining-club", parseClub, "for-this-tab");

function parseClub(stored: unknown): JoiningClub | null {
  if (!isRecord(stored)) {
    return null;
  }
  const { name, emblem, colours } = stored;
  return typeof name === "string" && typeof emblem === "string" && Array.isArray(colours)
    ? { name, emblem, colours: clubPair(colours) }
    : null;
}

/** Apply a club's colours to a public screen and its stand; null for the product's own. */
export function useClubStand(colours: readonly string[] | null): void {
  usePageColours(colours);
  const isOfClub = colours !== null;
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    if (isOfClub) {
      dataset["joining"] = "";
    }
    return () => {
      delete dataset["joining"];
    };
  }, [isOfClub]);
}

/** Keep a new member's colours on the screens between the sign-up and the first dashboard. */
export function useJoiningColours(): void {
  useClubStand(joiningClub.read()?.colours ?? null);
}
