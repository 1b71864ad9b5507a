import { Newspaper } from "lucide-react";
import { Avatar } from "@/components/avatar";
import { Button } from "@/components/button";
import { Crest } from "@/components/crest";
import { EmptyState } from "@/components/empty-state";
import { ErrorState } from "@/components/error-state";
import { Loaded, type QueryState } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ProductPicture } from "@/components/product-picture";
import { ScreenSkeleton } from "@/components/screen-skeleton";
import { Skeleton, SkeletonOf } from "@/components/skeleton";
import { Spinner } from "@/components/spinner";
import { StarRating } from "@/components/star-rating";
import { type BadgeTone, StatusBadge } from "@/components/status-badge";
import { StoryPicture } from "@/components/story-picture";
import { Unknown } from "@/components/unknown";
import { NoAnswer } from "@/lib/live/failures";

const LONG_AGO = Date.parse("2026-11-21T12:00:00Z");
const asked = { data: undefined, error: null, dataUpdatedAt: LONG_AGO, refetch: () => {} };
const ASKED: Record<string, QueryState<string>> = {
  Waiting: asked,
  Failed: { ...asked, error: new NoAnswer() },
  There: { ...asked, data: "What was asked for." },
  "There, but old": { ...asked, data: "What was asked for.", error: new NoAnswer() },
};

/** A query's states: waiting, failed, loaded, loaded but stale; and the empty state. */
export function Faces() {
  return (
    <>
      {Object.entries(ASKED).map(([name, each]) => (
        <Panel key={name} title={name} action={<Button variant="quiet">More</Button>}>
          <Loaded query={each} pending={<Skeleton />}>
            {(text) => <p>{text}</p>}
          </Loaded>
        </Panel>
      ))}
      <EmptyState icon={Newspaper} title="Nothing yet" action={<Button>Begin</Button>}>
        It will stand here.
      </EmptyState>
      <ErrorState
        message="The server is not available at the moment."
        hint="Other screens may still work."
      />
      <ScreenSkeleton />
      <Skeleton shape="numeral" width="40%" />
      <SkeletonOf>
        <p>As large as this text</p>
      </SkeletonOf>
      <Spinner label="Loading" />
      <Spinner small />
    </>
  );
}

const TONES: BadgeTone[] = ["success", "error", "neutral", "info"];
const NOTICES = ["notice", "notice notice-warn", "notice notice-error"];

export function Signs() {
  return (
    <>
      <p>
        {TONES.map((tone) => (
          <StatusBadge key={tone} tone={tone} text={tone} />
        ))}
      </p>
      {NOTICES.map((look) => (
        <div key={look} className={look}>
          <p>{look}</p>
          <Button variant="secondary">Do it</Button>
        </div>
      ))}
      <p>
        Points: <Unknown />
      </p>
      <p className="numeral">1,452</p>
      <p className="muted small">Quiet and small</p>
    </>
  );
}

const NAMES = ["Obi", "Musa", "Adeyemi", "Eze", "Bello", "Okafor"];

export function Pictures() {
  return (
    <>
      <p>
        {NAMES.map((name) => (
          <Avatar key={name} lastName={name} />
        ))}
        <Avatar lastName="Obi" size="large" />
      </p>
      <p>
        <Crest clubName="Enyimba" size={48} />
        <Crest clubName="Kano Pillars" colours={["#ffc62e", "#0a6239"]} size={96} />
      </p>
      {[0, 5, 9, 10].map((rating) => (
        <StarRating key={rating} outOfTen={rating} />
      ))}
      <div style={{ width: 160 }}>
        <ProductPicture src="" size={160} />
      </div>
      <div className="news-picture" style={{ width: 88 }}>
        <StoryPicture src={null} width={88} height={88} />
      </div>
    </>
  );
}
