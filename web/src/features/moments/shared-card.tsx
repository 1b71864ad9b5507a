import { Flag, Hand } from "lucide-react";
import type { SharedMoment } from "@/api/wire";
import { Avatar } from "@/components/avatar";
import { MomentPicture } from "@/features/moments/moment-picture";
import { megabytes } from "@/features/moments/rules";
import { useApplause } from "@/features/moments/use-applause";
import { useLowData } from "@/lib/device/low-data";
import { counted, formatCount } from "@/lib/format/counts";
import { formatMoment } from "@/lib/format/dates";
import { displayName } from "@/lib/format/names";

interface SharedCardProps {
  moment: SharedMoment;
  onPlay: () => void;
  onReport: () => void;
}

/** A shared moment: its poster, its author, and the applause. */
export function SharedCard({ moment, onPlay, onReport }: SharedCardProps) {
  const sparesData = useLowData();
  const { by, title } = moment;
  return (
    <article className="card moment-card" aria-label={title}>
      <MomentPicture
        title={title}
        thumbnail={moment.thumbnail}
        size={sparesData ? megabytes(moment.videoBytes) : null}
        onPlay={onPlay}
      />
      <div className="moment-text">
        <h3>{title}</h3>
        <div className="moment-by">
          <Avatar lastName={by.lastName} src={by.avatar} />
          <p className="small">
            <b>{moment.mine ? "You" : displayName(by.lastName, by.firstName)}</b>
            <br />
            <time className="muted" dateTime={moment.sharedAt}>
              {formatMoment(moment.sharedAt)}
            </time>
          </p>
        </div>
        {moment.mine ? (
          <p className="moment-applause">
            {moment.applause === 0
              ? "No applause yet"
              : `Applause from ${counted(moment.applause, "member")}`}
          </p>
        ) : (
          <div className="moment-acts">
            <ApplauseButton moment={moment} />
            <button
              type="button"
              className="icon-button"
              aria-label={`Report: ${title}`}
              title="Report"
              onClick={onReport}
            >
              <Flag aria-hidden="true" />
            </button>
          </div>
        )}
      </div>
    </article>
  );
}

function ApplauseButton({ moment }: { moment: SharedMoment }) {
  const applaud = useApplause(moment);
  return (
    <button
      type="button"
      className="moment-applaud"
      aria-label={`Applaud: ${moment.title}, ${formatCount(moment.applause)}`}
      aria-pressed={moment.applauded}
      onClick={() => applaud(!moment.applauded)}
    >
      <Hand aria-hidden="true" /> Applaud <span>{formatCount(moment.applause)}</span>
    </button>
  );
}
