import { useEffect } from "react";
import { shellScreenAt } from "@/app/routes";
import { bottomItems } from "@/app/shell/menu-items";
import { sparesData } from "@/lib/device/low-data";

/** After the first screen has had the network to itself. */
const AFTER_MS = 4000;

/** Prefetch the screens of the bottom bar; in data saver mode they load on tap. */
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
