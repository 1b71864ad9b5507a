import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/button";
import type { Link } from "@/features/chat/chat-machine";
import { useOnline } from "@/lib/online";

/** A connection that comes at once is not worth a word. */
const SAY_AFTER_MS = 800;

interface ConnectionBannerProps {
  link: Link;
  onReconnect: () => void;
}

/** Says quietly that the line is down, and offers to call again once five tries have failed. */
export function ConnectionBanner({ link, onReconnect }: ConnectionBannerProps) {
  const isOnline = useOnline();
  const isSlow = useLasts(link === "joining" || link === "opening", SAY_AFTER_MS);
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
          <Button look="quiet" onClick={onReconnect}>
            Reconnect
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** Whether something has been so for a while. */
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
