import { useEffect } from "react";

/** Set the browser tab's title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · King of Fans`;
  }, [title]);
}
