import { useEffect } from "react";
import { shellScreenAt } from "@/app/routes";
import { bottomItems } from "@/app/shell/menu-items";
import { sparesData } from "@/lib/low-data";

/** After the first screen has had the network for itself. */
const AFTER_MS = 4000;

/** Fetch the screens of the bottom bar ahead of time; a phone that spares data waits for the tap. */
export function usePreloadedTabs(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      if (sparesData()) {
        return;
      }
      for (const { path } of bottomItems) {
        void shellScreenAt(path)?.page.preload();
      }
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}
