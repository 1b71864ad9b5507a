import { useEffect, useRef } from "react";

/** Call `look` whenever the network, or the member to the tab, has come or gone. */
export function useReturn(look: () => void): void {
  const newest = useRef(look);
  newest.current = look;
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

/** Whether it makes sense to connect: there is a network, and somebody looks. */
export function isHere(): boolean {
  return navigator.onLine && document.visibilityState === "visible";
}
