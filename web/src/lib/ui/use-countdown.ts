import { useCallback, useEffect, useState } from "react";

/** Seconds left, counted down to 0; the returned function restarts it. */
export function useCountdown(startSeconds: number): [number, (seconds: number) => void] {
  const [endsAt, setEndsAt] = useState(() => Date.now() + startSeconds * 1000);
  const [left, setLeft] = useState(startSeconds);

  useEffect(() => {
    const show = () => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000)));
    show();
    const timer = setInterval(show, 1000);
    return () => clearInterval(timer);
  }, [endsAt]);

  const restart = useCallback((seconds: number) => setEndsAt(Date.now() + seconds * 1000), []);
  return [left, restart];
}
