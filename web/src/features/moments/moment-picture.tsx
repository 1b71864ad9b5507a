import { Film, Play } from "lucide-react";
import { useState } from "react";

const PICTURE_SIDE = 320;

interface MomentPictureProps {
  title: string;
  thumbnail: string;
  /** The download size of the video, as `3.1 MB`, in data saver mode. */
  size?: string | null;
  onPlay: () => void;
}

/** A moment's poster; tapping it, or its card, plays the video. */
export function MomentPicture({ title, thumbnail, size = null, onPlay }: MomentPictureProps) {
  const [broken, setBroken] = useState(false);
  const says = size === null ? "Play" : `${size} · Play`;
  return (
    <div className="moment-picture">
      {broken ? (
        <Film aria-hidden="true" />
      ) : (
        <img
          src={thumbnail}
          alt=""
          width={PICTURE_SIDE}
          height={PICTURE_SIDE}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
        />
      )}
      <button
        type="button"
        className="moment-play"
        aria-label={`${says}: ${title}`}
        onClick={onPlay}
      >
        {size === null ? <Play aria-hidden="true" /> : <span className="moment-size">{says}</span>}
      </button>
    </div>
  );
}
