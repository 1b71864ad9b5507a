import { useEffect, useState } from "react";
import type { Chat } from "@/features/chat/use-chat";
import { useOnline } from "@/lib/device/online";
import { useLinkStatus } from "@/lib/ui/status";

/** A connection that opens at once needs no note. */
const SHOW_DELAY_MS = 800;
const offline = "You are offline. Messages will be sent when you are back online.";

/** Report a connection that is down, and offer to reconnect once five retries have failed. */
export function useChatStatus({ state: { link }, reconnect }: Chat): void {
  const isOnline = useOnline();
  const isOpening = link === "joining" || link === "opening";
  const isSlow = useLasts(isOpening, SHOW_DELAY_MS);
  const lost = { text: "The connection is lost.", offline, reconnect };
  const connecting = isSlow || !isOnline ? { text: "Connecting…", offline } : null;
  useLinkStatus(link === "closed" ? lost : connecting);
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
