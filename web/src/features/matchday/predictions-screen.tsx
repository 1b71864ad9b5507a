import "@/features/matchday/matchday.css";
import "@/features/matchday/predictions.css";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CircleCheckBig, Trophy } from "lucide-react";
import { Link, useSearchParams } from "react-router-dom";
import { useSharer } from "@/api/use-sharer";
import type { PredictionRow } from "@/api/wire";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Segments } from "@/components/segments";
import { ShareButton } from "@/components/share-button";
import { StatusBadge } from "@/components/status-badge";
import { closedPredictionsQuery, openPredictionsQuery } from "@/features/matchday/api";
import { useLiveMatches } from "@/features/matchday/live";
import { MatchesWaiting } from "@/features/matchday/match-list";
import { PredictionBoard } from "@/features/matchday/prediction-board";
import { PredictionCard } from "@/features/matchday/prediction-card";
import {
  isPredictable,
  outcomeText,
  ownClubFirst,
  type Score,
  sharedPrediction,
  WHAT_COUNTS,
} from "@/features/matchday/prediction-rules";
import { isNear, isRunning, playedFor, spoken, stateText } from "@/features/matchday/rules";
import type { Sharer } from "@/lib/device/sharing";
import { counted } from "@/lib/format/counts";
import { formatMoment } from "@/lib/format/dates";
import { paths } from "@/lib/format/paths";
import { useServerNow } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";

const SHOWN = ["open", "closed", "board"] as const;
type Shown = (typeof SHOWN)[number];

const TABS: { value: Shown; text: string }[] = [
  { value: "open", text: "Predict" },
  { value: "closed", text: "Results" },
  { value: "board", text: "Board" },
];
const ANNOUNCE_INTERVAL_MS = 10_000;

/** Matches to predict, the member's results, and the board; the choice is in the URL. */
export default function PredictionsScreen() {
  const [address, setAddress] = useSearchParams();
  const shown = SHOWN.find((one) => one === address.get("show")) ?? "open";
  return (
    <div className="matchday">
      <Segments
        label="What to see"
        options={TABS}
        value={shown}
        onChange={(show) => setAddress({ show }, { replace: true })}
      />
      {shown === "open" ? <OpenMatches /> : null}
      {shown === "closed" ? <OwnResults /> : null}
      {shown === "board" ? <PredictionBoard /> : null}
    </div>
  );
}

function OpenMatches() {
  const { id, club } = useMember();
  const asked = useQuery(openPredictionsQuery(id));
  const nowMs = useServerNow(ANNOUNCE_INTERVAL_MS);
  const near = (asked.data ?? []).filter(({ fixture }) => isNear(fixture, nowMs));
  useLiveMatches(near.map(({ fixture }) => fixture.id));
  return (
    <>
      <p className="small muted">{WHAT_COUNTS}</p>
      <Loaded query={asked} pending={<MatchesWaiting />}>
        {(rows) => {
          const open = rows.filter(({ fixture }) => isPredictable(fixture, nowMs));
          const left = open.filter(({ home }) => home === null).length;
          return open.length === 0 ? (
            <EmptyState icon={Trophy} title="No matches to predict">
              Matches open 14 days before their kick-off.
            </EmptyState>
          ) : (
            <>
              <p role="status">
                {left === 0 ? (
                  <StatusBadge tone="success" text="All matches are predicted" />
                ) : (
                  <b>{counted(left, "match", "matches")} to predict</b>
                )}
              </p>
              <ul className="card row-list">
                {ownClubFirst(open, club).map((row) => (
                  <li key={row.fixture.id}>
                    <PredictionCard match={row.fixture} saved={row.fixture.prediction} />
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function OwnResults() {
  const { id } = useMember();
  const asked = useInfiniteQuery(closedPredictionsQuery(id));
  const rows = asked.data?.pages.flat() ?? [];
  useLiveMatches(rows.filter(({ fixture }) => isRunning(fixture)).map(({ fixture }) => fixture.id));
  const nowMs = useServerNow(ANNOUNCE_INTERVAL_MS);
  const sharer = useSharer();
  return (
    <Loaded query={asked} pending={<MatchesWaiting />}>
      {() =>
        rows.length === 0 ? (
          <EmptyState icon={CircleCheckBig} title="No predictions yet">
            Your predictions appear here from kick-off, with the points they win.
          </EmptyState>
        ) : (
          <>
            <ul className="card row-list">
              {rows.map((row) => (
                <li key={row.fixture.id}>
                  <OwnResult row={row} nowMs={nowMs} />
                  <ShareRow row={row} sharer={sharer} />
                </li>
              ))}
            </ul>
            {asked.hasNextPage ? (
              <Button
                variant="secondary"
                busy={asked.isFetchingNextPage}
                onClick={() => void asked.fetchNextPage()}
              >
                Show older
              </Button>
            ) : null}
          </>
        )
      }
    </Loaded>
  );
}

function OwnResult({ row, nowMs }: { row: PredictionRow; nowMs: number }) {
  const { fixture: match } = row;
  const score = scoreOf(row);
  const { home, away, goals } = match;
  return (
    <Link
      className="prediction-row"
      to={paths.match(match.id)}
      aria-label={`${spoken(match, nowMs)}${score === null ? "" : `. You predicted ${score.home} to ${score.away}. ${outcomeText(match, { ...row, ...score }).text}`}`}
    >
      <span className="small muted">
        {formatMoment(match.kickOffAt)} · {playedFor(match)}
      </span>
      <b>
        {home.name} {goals === null ? "v" : `${goals.home}–${goals.away}`} {away.name}
      </b>
      <span className="prediction-told">
        <span className="small">
          {score === null ? "" : `You predicted ${score.home}–${score.away} · `}
          {stateText(match, nowMs)}
        </span>
        {score === null ? null : <StatusBadge {...outcomeText(match, { ...row, ...score })} />}
      </span>
    </Link>
  );
}

/** Without an own score there is nothing to share. */
function ShareRow({ row, sharer }: { row: PredictionRow; sharer: Sharer | null }) {
  const score = scoreOf(row);
  return score === null ? null : (
    <ShareButton
      sharer={sharer}
      shared={sharedPrediction(row.fixture, score, row.outcome)}
      variant="quiet"
      of={`${row.fixture.home.name} against ${row.fixture.away.name}`}
    />
  );
}

function scoreOf({ home, away }: PredictionRow): Score | null {
  return home === null || away === null ? null : { home, away };
}
