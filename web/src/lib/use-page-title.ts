import { useEffect } from "react";

/** Name the browser's tab after the screen. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · King of Fans`;
  }, [title]);
}
