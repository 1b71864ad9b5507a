import { WifiOff } from "lucide-react";
import { type Reach, useReach } from "@/lib/device/online";

const SENTENCES: Record<Reach, string | null> = {
  online: null,
  offline: "You are offline. We'll continue when you reconnect.",
  unanswered: "The server is not responding. We'll keep trying.",
};

/** Says that the network is gone or carries nothing; loaded data stays readable. */
export function OfflineBanner() {
  const sentence = SENTENCES[useReach()];
  return (
    <div role="status">
      {sentence === null ? null : (
        <p className="offline-banner">
          <WifiOff aria-hidden="true" />
          {sentence}
        </p>
      )}
    </div>
  );
}
