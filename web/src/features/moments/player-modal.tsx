import { useEffect, useRef, useState } from "react";
import type { Moment } from "@/api/wire";
import { ErrorState } from "@/components/error-state";
import { Modal } from "@/components/modal";
import { useLowData } from "@/lib/device/low-data";
import { formatMoment } from "@/lib/format/dates";

interface PlayerModalProps {
  moment: Pick<Moment, "title" | "content" | "thumbnail" | "video" | "createdAt">;
  /** The member saw the size: it starts even in data saver mode. */
  agreed?: boolean;
  onClose: () => void;
}

/** Plays a moment; before, only its picture is loaded, and closing stops the download. */
export function PlayerModal({ moment, agreed = false, onClose }: PlayerModalProps) {
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
            <Player moment={moment} agreed={agreed} onBroken={() => setBroken(true)} />
          )}
          {moment.content ? <p className="player-text">{moment.content}</p> : null}
          <p className="small muted">{formatMoment(moment.createdAt)}</p>
        </>
      }
    />
  );
}

interface PlayerProps {
  moment: PlayerModalProps["moment"];
  agreed: boolean;
  onBroken: () => void;
}

function Player({ moment, agreed, onBroken }: PlayerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const waits = useLowData() && !agreed;
  useEffect(() => {
    const element = video.current;
    if (element === null) {
      return;
    }
    element.src = moment.video;
    if (!waits) {
      // A browser that refuses autoplay shows its controls.
      element.play().catch(() => undefined);
    }
    return () => {
      element.pause();
      element.removeAttribute("src");
      element.load();
    };
  }, [moment.video, waits]);
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
