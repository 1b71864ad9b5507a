import "~/areas/moments/moments.css";
import { useState } from "react";
import { Button } from "@/components/button";
import { Loaded } from "@/components/loaded";
import { Modal } from "@/components/modal";
import { Spinner } from "@/components/spinner";
import { useObjectUrl } from "@/lib/ui/use-object-url";
import type { RowOf } from "~/api/calls";
import { useFile } from "~/api/queries";

type Moment = RowOf<"GET /api/v1/admin/moments">;
type Part = "thumbnail" | "video";

/** A button that shows a moment's picture and video, hidden or not; each view is audited. */
export function MomentPreview({ moment }: { moment: Moment }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        View
      </Button>
      {isOpen ? (
        <Modal
          header={moment.title}
          onClose={() => setIsOpen(false)}
          content={<MomentFiles moment={moment} />}
        />
      ) : null}
    </>
  );
}

function MomentFiles({ moment }: { moment: Moment }) {
  const [isWatching, setIsWatching] = useState(false);
  return (
    <div className="moment-parts">
      {moment.content === "" ? null : <p className="moment-text">{moment.content}</p>}
      <MomentPart id={moment.id} part="thumbnail" />
      {isWatching ? (
        <MomentPart id={moment.id} part="video" />
      ) : (
        <Button variant="secondary" onClick={() => setIsWatching(true)}>
          Watch the video
        </Button>
      )}
    </div>
  );
}

function MomentPart({ id, part }: { id: string; part: Part }) {
  const asked = useFile("GET /api/v1/admin/moments/{moment_id}/{part}", {
    inPath: { moment_id: id, part },
  });
  return (
    <Loaded query={asked} pending={<Spinner label="Loading" />}>
      {(file) => <Shown part={part} file={file} />}
    </Loaded>
  );
}

function Shown({ part, file }: { part: Part; file: Blob }) {
  const address = useObjectUrl(file);
  if (address === null) {
    return null;
  }
  return part === "thumbnail" ? (
    <img src={address} alt="Thumbnail" />
  ) : (
    // biome-ignore lint/a11y/useMediaCaption: members post no captions
    <video src={address} controls={true} aria-label="Video" />
  );
}
