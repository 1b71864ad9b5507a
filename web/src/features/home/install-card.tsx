import "@/features/home/install-card.css";
import { useSyncExternalStore } from "react";
import { Button } from "@/components/button";
import { Panel } from "@/components/panel";
import { useInstall } from "@/lib/device/install";
import { storedValue } from "@/lib/device/storage";
import { isSecondDay } from "@/lib/session/first-use";

const REST_MS = 30 * 24 * 3_600_000;

/** Until when the card stays away, in milliseconds since 1970. */
const restsUntil = storedValue<number>("install-rests", (stored) =>
  typeof stored === "number" ? stored : null,
);

/** Offers to install the app from the second day on; at the end, where it moves nothing. */
export function InstallCard() {
  const install = useInstall();
  const until = useSyncExternalStore(restsUntil.subscribe, restsUntil.read) ?? 0;
  const rest = () => restsUntil.write(Date.now() + REST_MS);
  if (install === null || !isSecondDay() || Date.now() < until) {
    return null;
  }
  return (
    <Panel title="King of Fans on your home screen" className="install-card">
      <p>Opens like any other app, even offline, and takes almost no space.</p>
      <div className="install-actions">
        <Button onClick={install}>Install the app</Button>
        <Button variant="quiet" onClick={rest}>
          Not now
        </Button>
      </div>
    </Panel>
  );
}
