import { WifiOff } from "lucide-react";
import { useOnline } from "@/lib/online";

/** Says that the network is gone; what was loaded stays readable. */
export function OfflineBanner() {
  const online = useOnline();
  return (
    <div role="status">
      {online ? null : (
        <p className="offline-banner">
          <WifiOff aria-hidden="true" />
          You are offline. We will carry on when you are back.
        </p>
      )}
    </div>
  );
}
