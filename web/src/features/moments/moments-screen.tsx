import "@/features/moments/moments.css";
import { useQuery } from "@tanstack/react-query";
import { Clapperboard, Upload } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Moment } from "@/api/wire";
import { Button, type ButtonVariant } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded, type QueryState } from "@/components/loaded";
import { TabList, tabPanel } from "@/components/tab-list";
import { momentsQuery } from "@/features/moments/api";
import { ClubFeed } from "@/features/moments/club-feed";
import { useFetchToasts } from "@/features/moments/fetch-toasts";
import { LoadingMoments } from "@/features/moments/loading-moments";
import { MomentCard } from "@/features/moments/moment-card";
import { PlayerModal } from "@/features/moments/player-modal";
import { RemoveModal } from "@/features/moments/remove-modal";
import { emptyDraft } from "@/features/moments/rules";
import { UploadModal } from "@/features/moments/upload-modal";
import { useMember } from "@/lib/session/session";

/** The dialog over the list: a playing moment, a removal, or none. */
type Opened = { what: "player" | "removal"; moment: Moment } | null;

/** The member's own moments with a button to post another, and the club's shared ones. */
export default function MomentsScreen() {
  const { id, clubName } = useMember();
  const [tab, setTab] = useState<"own" | "club">("own");
  const moments = useQuery(momentsQuery(id));
  useFetchToasts(moments);
  const [draft, setDraft] = useState(emptyDraft);
  const [posting, setPosting] = useState(false);
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const uploadButton = (variant: ButtonVariant) => (
    <Button variant={variant} icon={<Upload aria-hidden="true" />} onClick={() => setPosting(true)}>
      Upload Content
    </Button>
  );
  return (
    <div className="shop">
      <header className="card hero moments-intro">
        <div>
          <h2>Post your exciting football moment</h2>
          <p>
            A short video of up to 4 MB, with a picture. Only you can see it until you share it.
          </p>
        </div>
        {uploadButton("accent")}
      </header>
      <TabList
        label="Whose moments"
        name="moments"
        tabs={[
          { value: "own", content: <b>My moments</b> },
          { value: "club", content: <b>{clubName}</b> },
        ]}
        value={tab}
        onChange={setTab}
      />
      <div {...tabPanel("moments", tab)}>
        {tab === "club" ? (
          <ClubFeed onOwn={() => setTab("own")} />
        ) : (
          <OwnMoments asked={moments} offer={uploadButton("primary")} onOpen={setOpened} />
        )}
      </div>
      {posting ? (
        <UploadModal
          draft={draft}
          onChange={setDraft}
          onClose={(isOver) => {
            setPosting(false);
            setDraft((left) => (isOver ? emptyDraft : { ...left, thumbnail: null, video: null }));
          }}
        />
      ) : null}
      {opened?.what === "player" ? <PlayerModal moment={opened.moment} onClose={close} /> : null}
      {opened?.what === "removal" ? <RemoveModal moment={opened.moment} onClose={close} /> : null}
    </div>
  );
}

interface OwnMomentsProps {
  asked: QueryState<Moment[]>;
  /** The button that posts the first one. */
  offer: ReactNode;
  onOpen: (opened: Opened) => void;
}

function OwnMoments({ asked, offer, onOpen }: OwnMomentsProps) {
  return (
    <Loaded query={asked} pending={<LoadingMoments />}>
      {(posted) =>
        posted.length === 0 ? (
          <EmptyState icon={Clapperboard} title="No posts available" action={offer}>
            The goal, the song, the walk to the stadium: your first moment goes here.
          </EmptyState>
        ) : (
          <MomentGrid moments={posted} onOpen={onOpen} />
        )
      }
    </Loaded>
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
