import { useState } from "react";
import { Button } from "@/components/button";
import { openNewVersion, useNewVersion } from "@/lib/new-version";

/** Says quietly that a newer version is there, for as long as it is; it opens when asked to. */
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
          <Button look="secondary" busy={isOpening} onClick={update}>
            Update
          </Button>
        </div>
      ) : null}
    </div>
  );
}
