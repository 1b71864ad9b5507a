import { useState } from "react";
import { openNewVersion, useNewVersion } from "@/lib/device/new-version";

/** A quiet note that a newer version is available; it opens on request. */
export function NewVersionNote() {
  const isReady = useNewVersion();
  const [isOpening, setOpening] = useState(false);
  const update = () => {
    if (!isOpening) {
      setOpening(true);
      void openNewVersion();
    }
  };
  return isReady ? (
    <div className="status-line">
      <p>A new version is ready.</p>
      <button type="button" className="status-action" aria-busy={isOpening} onClick={update}>
        Update
      </button>
    </div>
  ) : null;
}
