import "@/features/moments/moments.css";
import { useQuery } from "@tanstack/react-query";
import { Clapperboard, Upload } from "lucide-react";
import { useState } from "react";
import type { Moment } from "@/api/wire";
import { Button, type ButtonLook } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { momentsQuery } from "@/features/moments/api";
import { useFetchToasts } from "@/features/moments/fetch-toasts";
import { MomentCard } from "@/features/moments/moment-card";
import { PlayerModal } from "@/features/moments/player-modal";
import { RemoveModal } from "@/features/moments/remove-modal";
import { emptyDraft } from "@/features/moments/rules";
import { UploadModal } from "@/features/moments/upload-modal";
import { useMember } from "@/lib/session";

const LOADING_CARDS = ["1", "2", "3", "4"];

/** What stands over the list: a moment that is played or about to be removed, or nothing. */
type Opened = { what: "player" | "removal"; moment: Moment } | null;

/** The member's own moments, and the way to post another. */
export function Moments() {
  const { id } = useMember();
  const moments = useQuery(momentsQuery(id));
  useFetchToasts(moments);
  const [draft, setDraft] = useState(emptyDraft);
  const [posting, setPosting] = useState(false);
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const uploadButton = (look: ButtonLook) => (
    <Button look={look} icon={<Upload aria-hidden="true" />} onClick={() => setPosting(true)}>
      Upload Content
    </Button>
  );
  return (
    <div className="shop">
      <header className="card hero moments-intro">
        <div>
          <h2>Post your exciting football moment</h2>
          <p>A short video of up to 4 MB, with a picture. Only you see your posts here.</p>
        </div>
        {uploadButton("accent")}
      </header>
      <Loaded asked={moments} pending={<LoadingMoments />}>
        {(posted) =>
          posted.length === 0 ? (
            <EmptyState
              icon={Clapperboard}
              title="No posts available"
              action={uploadButton("primary")}
            >
              The goal, the song, the walk to the stadium: your first moment goes here.
            </EmptyState>
          ) : (
            <MomentGrid moments={posted} onOpen={setOpened} />
          )
        }
      </Loaded>
      {posting ? (
        <UploadModal
          draft={draft}
          onChange={setDraft}
          onClose={(posted) => {
            setPosting(false);
            setDraft((left) => (posted ? emptyDraft : { ...left, thumbnail: null, video: null }));
          }}
        />
      ) : null}
      {opened?.what === "player" ? <PlayerModal moment={opened.moment} onClose={close} /> : null}
      {opened?.what === "removal" ? <RemoveModal moment={opened.moment} onClose={close} /> : null}
    </div>
  );
}

interface MomentGridProps {
  moments: Moment[];
  onOpen: (opened: Opened) => void;
}

function MomentGrid({ moments, onOpen }: MomentGridProps) {
  return (
    <section aria-labelledby="moments-title" className="shop-all">
      <h2 id="moments-title">
        Your moments <span className="muted">{moments.length}</span>
      </h2>
      <ul className="moment-grid">
        {moments.map((moment) => (
          <li key={moment.id}>
            <MomentCard
              moment={moment}
              onPlay={() => onOpen({ what: "player", moment })}
              onRemove={() => onOpen({ what: "removal", moment })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LoadingMoments() {
  return (
    <div className="shop-all">
      <p className="muted" role="status">
        Loading ...
      </p>
      <ul className="moment-grid" aria-hidden="true">
        {LOADING_CARDS.map((card) => (
          <li key={card} className="moment-waiting">
            <Skeleton shape="block" />
          </li>
        ))}
      </ul>
    </div>
  );
}
