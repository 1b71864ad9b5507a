import "@/styles/statement.css";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Star } from "lucide-react";
import type { ReactNode } from "react";
import { statisticsQuery } from "@/api/member";
import { todayQuery } from "@/api/today";
import type { PointsEntry } from "@/api/wire";
import { BoardSkeleton } from "@/components/board-table";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Freshness, Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { RankProgress } from "@/components/rank-progress";
import { Unknown } from "@/components/unknown";
import { pointsQuery } from "@/features/ranking/api";
import { pointsBySource, sourceOf } from "@/features/ranking/sources";
import { formatCount } from "@/lib/format/counts";
import { formatMoment } from "@/lib/format/dates";
import { earnedPoints, inBattlePoints, inPoints, POINTS_STORY, unitOf } from "@/lib/format/points";
import { useMember } from "@/lib/session/session";

const LOADING_ROWS = ["first", "second", "third", "fourth"];

interface PointsHistoryProps {
  /** How to invite friends, which also earns points. */
  invite: ReactNode;
}

/** The season's points and every award behind them, newest first. */
export function PointsHistory({ invite }: PointsHistoryProps) {
  const { id } = useMember();
  const history = useInfiniteQuery(pointsQuery(id));
  return (
    <div className="wallet-page points-page">
      <PointsSplit />
      {invite}
      <Panel title="Points history">
        <Loaded query={history} pending={<BoardSkeleton rows={LOADING_ROWS} />}>
          {({ pages }) => <Entries entries={pages.flat()} />}
        </Loaded>
        {history.hasNextPage ? (
          <Button
            variant="secondary"
            busy={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          >
            Show older
          </Button>
        ) : null}
      </Panel>
    </div>
  );
}

function Entries({ entries }: { entries: PointsEntry[] }) {
  if (entries.length === 0) {
    return (
      <EmptyState icon={Star} title="No points yet">
        Every award will be listed here with what it was for.
      </EmptyState>
    );
  }
  return (
    <ol className="statement">
      {entries.map((entry) => (
        <EntryLine key={entry.id} entry={entry} />
      ))}
    </ol>
  );
}

/** The season's points by source: battle points reach ranks, all count on boards. */
function PointsSplit() {
  const member = useMember();
  const season = useQuery(statisticsQuery(member.id)).data?.ranking.season;
  const today = useQuery(todayQuery(member));
  const me = today.data?.me;
  return (
    <Panel title={season ?? "This season"}>
      <Freshness query={today} />
      <p className="result-points">
        <span className="numeral">{me ? formatCount(me.points) : <Unknown />}</span>{" "}
        <span>season {unitOf(me?.points ?? 0)}</span>
      </p>
      <dl className="details">
        {pointsBySource(me?.sources ?? []).map(({ source, points }) => (
          <div key={source}>
            <dt>{sourceOf(source).name}</dt>
            <dd>{me ? wonIn(source, points) : <Unknown />}</dd>
          </div>
        ))}
      </dl>
      <RankProgress me={me} />
      <details className="statement-tools points-rules">
        <summary>How points work</summary>
        {POINTS_STORY.map((sentence) => (
          <p key={sentence} className="small">
            {sentence}
          </p>
        ))}
      </details>
    </Panel>
  );
}

function wonIn(source: PointsEntry["source"], points: number): string {
  return source === "battle" ? inBattlePoints(points) : inPoints(points);
}

function EntryLine({ entry }: { entry: PointsEntry }) {
  const Icon = sourceOf(entry.source).icon;
  return (
    <li className="statement-line">
      <span className="statement-icon">
        <Icon aria-hidden="true" />
      </span>
      <div className="statement-what">
        <strong>{entry.title}</strong>
        <span className="small muted">{formatMoment(entry.earnedAt)}</span>
      </div>
      <div className="statement-amounts">
        <strong className={entry.points > 0 ? "is-incoming" : undefined}>
          {earnedPoints(entry.points)}
        </strong>
      </div>
    </li>
  );
}
