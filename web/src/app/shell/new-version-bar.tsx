import { useState } from "react";
import { Button } from "@/components/button";
import { openNewVersion, useNewVersion } from "@/lib/device/new-version";

/** A quiet note that a newer version is available; it opens on request. */
export function NewVersionBar() {
  const isReady = useNewVersion();
  const [isOpening, setOpening] = useState(false);
  const update = () => {
    setOpening(true);
    void openNewVersion();
  };
  return (
    <div role="status">
      {isReady ? (
        <div className="new-version">
          <p>A new version is ready.</p>
          <Button variant="secondary" busy={isOpening} onClick={update}>
            Update
          </Button>
        </div>
      ) : null}
    </div>
  );
}
