import { StatusArea } from "@/components/status-area";
import { useLinkStatus, useOldData } from "@/lib/ui/status";

const AN_HOUR_MS = 3_600_000;
const READ_AT = Date.now() - AN_HOUR_MS;
const reconnect = () => undefined;
const refresh = () => undefined;

/** The area with a place of its own, and all it can say at once. */
export function Status() {
  useLinkStatus({ text: "Could not connect.", reconnect });
  useOldData(READ_AT, refresh);
  return <StatusArea reserved />;
}
