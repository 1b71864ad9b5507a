import { useEffect, useRef, useState } from "react";
import type { Moment } from "@/api/wire";
import { ErrorState } from "@/components/error-state";
import { Modal } from "@/components/modal";
import { formatMoment } from "@/lib/dates";
import { useLowData } from "@/lib/low-data";

interface PlayerModalProps {
  moment: Moment;
  onClose: () => void;
}

/** Plays a moment; until now only its picture was loaded, and closing stops the loading. */
export function PlayerModal({ moment, onClose }: PlayerModalProps) {
  const [broken, setBroken] = useState(false);
  return (
    <Modal
      header={moment.title}
      classes="player-modal"
      onClose={onClose}
      content={
        <>
          {broken ? (
            <ErrorState message="This video cannot be played." onRetry={() => setBroken(false)} />
          ) : (
            <Player moment={moment} onBroken={() => setBroken(true)} />
          )}
          {moment.content ? <p className="player-text">{moment.content}</p> : null}
          <p className="small muted">{formatMoment(moment.createdAt)}</p>
        </>
      }
    />
  );
}

function Player({ moment, onBroken }: { moment: Moment; onBroken: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const sparing = useLowData();
  useEffect(() => {
    const element = video.current;
    if (element === null) {
      return;
    }
    element.src = moment.video;
    if (!sparing) {
      // A browser that refuses to begin by itself shows its controls.
      element.play().catch(() => undefined);
    }
    return () => {
      element.pause();
      element.removeAttribute("src");
      element.load();
    };
  }, [moment.video, sparing]);
  return (
    // biome-ignore lint/a11y/useMediaCaption: members post their own clips, which carry no captions
    <video
      ref={video}
      className="player"
      aria-label={moment.title}
      controls
      playsInline
      preload="none"
      poster={moment.thumbnail}
      data-first-focus
      onError={onBroken}
    />
  );
}
