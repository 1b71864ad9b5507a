import { Film } from "lucide-react";
import { type RefObject, useState } from "react";
import { FilePicker } from "@/features/moments/file-picker";
import { megabytes, sizeRefusal, VIDEO_KINDS, videoRefusal } from "@/features/moments/rules";
import { useObjectUrl } from "@/lib/ui/use-object-url";

interface VideoPickerProps {
  video: File | null;
  /** The element that shows the picked video. */
  preview: RefObject<HTMLVideoElement | null>;
  error: string | undefined;
  onPick: (video: File | null, error?: string) => void;
}

/** The video of a moment, with its size, and an early error if it cannot be sent. */
export function VideoPicker({ video, preview, error, onPick }: VideoPickerProps) {
  const address = useObjectUrl(video);
  const size = video === null ? null : `${megabytes(video.size)} of 4 MB`;
  const pick = (file: File | null) => {
    if (file === null && video !== null) {
      return;
    }
    const refusal = videoRefusal(file);
    const taken = refusal === null ? file : null;
    onPick(taken, refusal ?? sizeRefusal(taken) ?? undefined);
  };
  return (
    <FilePicker
      label="Video"
      icon={Film}
      texts={{ choose: "Choose a video", change: "Change the video" }}
      accept={VIDEO_KINDS}
      error={error}
      hint={size ?? "MP4 or WebM, up to 4 MB."}
      preview={address ? <VideoPreview key={address} address={address} element={preview} /> : null}
      onPick={pick}
    >
      {error && size ? <p className="field-hint">{size}</p> : null}
    </FilePicker>
  );
}

interface VideoPreviewProps {
  address: string;
  element: RefObject<HTMLVideoElement | null>;
}

function VideoPreview({ address, element }: VideoPreviewProps) {
  const [unplayable, setUnplayable] = useState(false);
  return unplayable ? (
    <p className="small">Your browser cannot show this video. It may not play later.</p>
  ) : (
    <video
      ref={element}
      src={address}
      aria-label="The video you picked"
      controls
      muted
      playsInline
      preload="metadata"
      onError={() => setUnplayable(true)}
    />
  );
}
