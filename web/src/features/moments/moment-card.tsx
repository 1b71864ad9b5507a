import { Film, Play } from "lucide-react";
import { useState } from "react";
import type { Moment } from "@/api/wire";
import { formatMoment } from "@/lib/dates";

const PICTURE_SIDE = 320;

interface MomentCardProps {
  moment: Moment;
  onPlay: () => void;
  onRemove: () => void;
}

/** A moment's picture, title and date; the whole card plays it, Remove asks first. */
export function MomentCard({ moment, onPlay, onRemove }: MomentCardProps) {
  const [broken, setBroken] = useState(false);
  return (
    <article className="card moment-card" aria-label={moment.title}>
      <div className="moment-picture">
        {broken ? (
          <Film aria-hidden="true" />
        ) : (
          <img
            src={moment.thumbnail}
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
          aria-label={`Play: ${moment.title}`}
          onClick={onPlay}
        >
          <Play aria-hidden="true" />
        </button>
      </div>
      <div className="moment-text">
        <h3>{moment.title}</h3>
        <p className="small muted">
          <time dateTime={moment.createdAt}>{formatMoment(moment.createdAt)}</time>
        </p>
        <button
          type="button"
          className="text-link moment-remove"
          aria-label={`Remove: ${moment.title}`}
          onClick={onRemove}
        >
          Remove
        </button>
      </div>
    </article>
  );
}
