import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/button";
import type { Link } from "@/features/chat/chat-machine";
import { useOnline } from "@/lib/device/online";

/** A connection that opens at once needs no note. */
const SHOW_DELAY_MS = 800;

interface ConnectionBannerProps {
  link: Link;
  onReconnect: () => void;
}

/**
 * Says quietly that the connection is down, and offers to reconnect once five retries have failed.
 */
export function ConnectionBanner({ link, onReconnect }: ConnectionBannerProps) {
  const isOnline = useOnline();
  const isSlow = useLasts(link === "joining" || link === "opening", SHOW_DELAY_MS);
  return (
    <div role="status">
      {isOnline ? null : (
        <p className="chat-banner small">
          <WifiOff aria-hidden="true" />
          You are offline. Messages are sent when the network returns.
        </p>
      )}
      {isOnline && isSlow ? <p className="chat-banner small">Connecting…</p> : null}
      {isOnline && link === "closed" ? (
        <div className="chat-banner small">
          <p>The connection is lost.</p>
          <Button variant="quiet" onClick={onReconnect}>
            Reconnect
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** Whether a condition has held for a while. */
function useLasts(isSo: boolean, forMs: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!isSo) {
      setLasts(false);
      return;
    }
    const timer = setTimeout(() => setLasts(true), forMs);
    return () => clearTimeout(timer);
  }, [isSo, forMs]);
  return isSo && lasts;
}
