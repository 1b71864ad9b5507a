import { WifiOff } from "lucide-react";
import { Button } from "@/components/button";
import type { Link } from "@/features/battle/battle-machine";

interface ConnectionNoteProps {
  link: Link;
  onReconnect: () => void;
}

/** Says that the connection is down, and offers to reconnect once three tries have failed. */
export function ConnectionNote({ link, onReconnect }: ConnectionNoteProps) {
  return (
    <div role="status">
      {link === "opening" ? (
        <p className="notice notice-warn">
          <WifiOff aria-hidden="true" />
          <span>Connecting... The clock runs on, the server keeps your place.</span>
        </p>
      ) : null}
      {link === "broken" ? (
        <div className="notice notice-error">
          <p>The connection is lost. The server keeps your place.</p>
          <Button variant="secondary" onClick={onReconnect}>
            Reconnect
          </Button>
        </div>
      ) : null}
    </div>
  );
}
