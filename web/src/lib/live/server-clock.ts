import { useEffect, useState } from "react";

/** How far the server's clock is ahead of this phone's, in milliseconds. */
let aheadMs = 0;

/** Set the server's clock from a response; a phone with a wrong clock also counts correctly. */
export function setServerClock(serverNow: string): void {
  const serverMs = Date.parse(serverNow);
  if (!Number.isNaN(serverMs)) {
    aheadMs = serverMs - Date.now();
  }
}

/** The server's time now, in milliseconds since 1970. */
export function serverNowMs(): number {
  return Date.now() + aheadMs;
}

/** The server's time, updated every `everyMs`, and at once when the tab becomes visible. */
export function useServerNow(everyMs = 1000): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const show = () => setNowMs(serverNowMs());
    show();
    const timer = setInterval(show, everyMs);
    document.addEventListener("visibilitychange", show);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", show);
    };
  }, [everyMs]);
  return nowMs;
}

/** The remaining time as the countdown's five numbers. */
export function splitTime(leftMs: number) {
  const seconds = Math.max(0, Math.ceil(leftMs / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  return {
    weeks: Math.floor(days / 7),
    day: days % 7,
    hrs: hours % 24,
    min: minutes % 60,
    sec: seconds % 60,
  };
}
