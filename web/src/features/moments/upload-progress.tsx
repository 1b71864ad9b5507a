import { useEffect, useRef } from "react";
import { Button } from "@/components/button";
import { type CompleteDraft, megabytes } from "@/features/moments/rules";
import { useObjectUrl } from "@/lib/ui/use-object-url";

/** Screen readers announce every quarter, not every step. */
const SPOKEN_STEP_PERCENT = 25;

interface UploadProgressProps {
  moment: CompleteDraft;
  /** The uploaded share, from 0 to 1. */
  share: number;
  onCancel: () => void;
}

/** The progress of the upload, and a cancel button. */
export function UploadProgress({ moment, share, onCancel }: UploadProgressProps) {
  const poster = useObjectUrl(moment.thumbnail);
  const cancel = useRef<HTMLDivElement>(null);
  useEffect(() => cancel.current?.querySelector("button")?.focus(), []);
  const bytes = moment.video.size + moment.thumbnail.size;
  const percent = Math.floor(share * 100);
  const spoken = Math.floor(percent / SPOKEN_STEP_PERCENT) * SPOKEN_STEP_PERCENT;
  const isSent = share >= 1;
  return (
    <div className="upload-progress">
      <div className="upload-what">
        {poster ? <img src={poster} alt="" /> : null}
        <div>
          <strong>{moment.title.trim()}</strong>
          <p className="muted">{isSent ? "Checking your video..." : "Uploading..."}</p>
        </div>
        <p className="numeral" aria-hidden="true">
          {percent}%
        </p>
      </div>
      <progress aria-label="Upload" value={share} max={1} />
      <p className="small muted" aria-hidden="true">
        {megabytes(bytes * share)} of {megabytes(bytes)}
      </p>
      <p className="visually-hidden" role="status">
        {isSent ? "Everything is sent. Checking your video." : `${spoken} percent sent`}
      </p>
      <div ref={cancel}>
        <Button variant="secondary" wide onClick={onCancel}>
          Cancel upload
        </Button>
      </div>
    </div>
  );
}
