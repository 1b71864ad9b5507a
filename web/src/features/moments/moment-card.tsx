import type { Moment } from "@/api/wire";
import { LinkButton } from "@/features/moments/link-button";
import { MomentPicture } from "@/features/moments/moment-picture";
import { ShareButton } from "@/features/moments/share-button";
import { formatMoment } from "@/lib/format/dates";

interface MomentCardProps {
  moment: Moment;
  onPlay: () => void;
  onRemove: () => void;
}

/** A moment's picture, title and date; the whole card plays it, Remove asks first. */
export function MomentCard({ moment, onPlay, onRemove }: MomentCardProps) {
  return (
    <article className="card moment-card" aria-label={moment.title}>
      <MomentPicture title={moment.title} thumbnail={moment.thumbnail} onPlay={onPlay} />
      <div className="moment-text">
        <h3>{moment.title}</h3>
        <p className="small muted">
          <time dateTime={moment.createdAt}>{formatMoment(moment.createdAt)}</time>
        </p>
        <ShareButton moment={moment} />
        <LinkButton moment={moment} />
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
