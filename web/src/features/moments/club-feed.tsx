import { useQuery } from "@tanstack/react-query";
import { Clapperboard } from "lucide-react";
import { useState } from "react";
import { useReport } from "@/api/use-report";
import type { SharedMoment } from "@/api/wire";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { ReportDialog } from "@/components/report-dialog";
import { reportMoment, sharedQuery } from "@/features/moments/api";
import { LoadingMoments } from "@/features/moments/loading-moments";
import { PlayerModal } from "@/features/moments/player-modal";
import { SharedCard } from "@/features/moments/shared-card";
import { displayName } from "@/lib/format/names";
import { useMember } from "@/lib/session/session";

/** The dialog over the feed: a playing moment, a report, or none. */
type Opened = { what: "player" | "report"; moment: SharedMoment } | null;

/** The club's shared moments; `onOwn` leads to the member's own. */
export function ClubFeed({ onOwn }: { onOwn: () => void }) {
  const { id, club } = useMember();
  const feed = useQuery(sharedQuery({ id, club }));
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  return (
    <>
      <Loaded query={feed} pending={<LoadingMoments kind="feed" />}>
        {(moments) =>
          moments.length === 0 ? (
            <EmptyState
              icon={Clapperboard}
              title="Nobody has shared a moment yet."
              action={<Button onClick={onOwn}>My moments</Button>}
            >
              Be the first: share one of yours with the club.
            </EmptyState>
          ) : (
            <ul className="moment-grid moment-feed">
              {moments.map((moment) => (
                <li key={moment.id}>
                  <SharedCard
                    moment={moment}
                    onPlay={() => setOpened({ what: "player", moment })}
                    onReport={() => setOpened({ what: "report", moment })}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {opened?.what === "player" ? (
        <PlayerModal
          moment={{ ...opened.moment, createdAt: opened.moment.sharedAt }}
          agreed
          onClose={close}
        />
      ) : null}
      {opened?.what === "report" ? (
        <ReportMoment key={opened.moment.id} moment={opened.moment} onClose={close} />
      ) : null}
    </>
  );
}

function ReportMoment({ moment, onClose }: { moment: SharedMoment; onClose: () => void }) {
  const report = useReport((reason) => reportMoment(moment.id, reason), onClose);
  return (
    <ReportDialog header="Report this moment" {...report} onClose={onClose}>
      <p>
        <b>{displayName(moment.by.lastName, moment.by.firstName)}</b>
        <br />
        {moment.title}
      </p>
    </ReportDialog>
  );
}
