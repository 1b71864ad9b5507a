import "@/features/ranking/club-ranking-card.css";
import { useQuery } from "@tanstack/react-query";
import { statisticsQuery } from "@/api/member";
import type { Statistics } from "@/api/wire";
import { Crest } from "@/components/crest";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { Spinner } from "@/components/spinner";
import { statisticsError } from "@/features/ranking/api";
import { formatCount, plural } from "@/lib/format/counts";
import { useMember } from "@/lib/session/session";

/** The member's rank in the club, with the emblem and the questions answered. */
export function ClubRankingCard() {
  const { id } = useMember();
  const statistics = useQuery(statisticsQuery(id));
  return (
    <Panel title="Club ranking" className="ranking-card">
      <Loaded query={statistics} pending={<RankingSkeleton />} sentence={statisticsError}>
        {({ ranking }) => <Ranking ranking={ranking} />}
      </Loaded>
    </Panel>
  );
}

function RankingSkeleton() {
  return (
    <div className="ranking-waiting">
      <Spinner label="Loading the ranking" />
    </div>
  );
}

function Ranking({ ranking }: { ranking: Statistics["ranking"] }) {
  const { clubColours } = useMember();
  return (
    <div className="standing">
      <Crest clubName={ranking.clubName} emblem={ranking.emblem} colours={clubColours} size={96} />
      <div>
        <p className="numeral">{ranking.clubRank === null ? "–" : `#${ranking.clubRank}`}</p>
        <p className="small muted">{placeText(ranking)}</p>
        <p className="standing-count">
          <strong>{formatCount(ranking.cnt)}</strong> {plural(ranking.cnt, "question")} answered
        </p>
      </div>
    </div>
  );
}

function placeText({ clubRank, clubMembers, clubName, cnt }: Statistics["ranking"]): string {
  if (clubRank !== null) {
    return `of ${formatCount(clubMembers)} at ${clubName}`;
  }
  return cnt === 0 ? "Answer a question to enter the ranking" : "Your first point brings you in";
}
