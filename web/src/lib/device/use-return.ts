import { useEffect, useRef } from "react";

/** Call `onChange` whenever the network or the tab's visibility has changed. */
export function useReturn(onChange: () => void): void {
  const newest = useRef(onChange);
  newest.current = onChange;
  useEffect(() => {
    const onChange = () => newest.current();
    window.addEventListener("online", onChange);
    window.addEventListener("offline", onChange);
    document.addEventListener("visibilitychange", onChange);
    return () => {
      window.removeEventListener("online", onChange);
      window.removeEventListener("offline", onChange);
      document.removeEventListener("visibilitychange", onChange);
    };
  }, []);
}

/** Whether connecting makes sense: there is a network, and the page is visible. */
export function isHere(): boolean {
  return navigator.onLine && document.visibilityState === "visible";
}
