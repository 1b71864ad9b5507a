import { useEffect, useRef } from "react";
import { isReachable, subscribeToReach } from "@/lib/device/online";
import { isOffline } from "@/lib/live/failures";

/** Call `onChange` whenever the network, the server or the tab has gone or returned. */
export function useReturn(onChange: () => void): void {
  const newest = useRef(onChange);
  newest.current = onChange;
  useEffect(() => {
    const onChange = () => newest.current();
    const stopListening = subscribeToReach(() => {
      // A server that stops answering ends no connection that still works.
      if (isReachable() || isOffline()) {
        onChange();
      }
    });
    document.addEventListener("visibilitychange", onChange);
    return () => {
      stopListening();
      document.removeEventListener("visibilitychange", onChange);
    };
  }, []);
}

/** Whether connecting makes sense: there is a network, and the page is visible. */
export function isHere(): boolean {
  return navigator.onLine && document.visibilityState === "visible";
}
