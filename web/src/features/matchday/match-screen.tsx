import "@/features/matchday/matchday.css";
import "@/features/matchday/predictions.css";
import { useQuery } from "@tanstack/react-query";
import { CalendarX, MessageCircle } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { useSharer } from "@/api/use-sharer";
import type { Match } from "@/api/wire";
import { buttonClasses } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { ShareButton } from "@/components/share-button";
import { StatusBadge } from "@/components/status-badge";
import { exportMatch, matchQuery } from "@/features/matchday/api";
import { CalendarButton } from "@/features/matchday/calendar-button";
import { useLiveMatches } from "@/features/matchday/live";
import { useMatchAround } from "@/features/matchday/match-around";
import { MatchesWaiting } from "@/features/matchday/match-list";
import { MatchStage } from "@/features/matchday/match-stage";
import { PredictionCard } from "@/features/matchday/prediction-card";
import { isPredictable, outcomeText, sharedPrediction } from "@/features/matchday/prediction-rules";
import { RemindMe } from "@/features/matchday/remind-me";
import { isAhead, isRemindable, isRunning } from "@/features/matchday/rules";
import { type MatchColours, useMatchColours } from "@/features/matchday/use-match-colours";
import { counted } from "@/lib/format/counts";
import { paths } from "@/lib/format/paths";
import { inPoints } from "@/lib/format/points";
import { useServerNow } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";

/** A match: the live score, the prediction, the table and the form of both sides. */
export default function MatchScreen() {
  const { id } = useMember();
  const { id: matchId = "" } = useParams();
  const match = useQuery(matchQuery(id, matchId));
  useLiveMatches([matchId]);
  return (
    <div className="matchday match-page">
      <Loaded query={match} pending={<MatchesWaiting />}>
        {(found) =>
          found === null ? (
            <EmptyState
              icon={CalendarX}
              title="Match not found"
              action={
                <Link className={buttonClasses("secondary")} to={paths.calendar}>
                  All matches
                </Link>
              }
            />
          ) : (
            <Whole match={found} />
          )
        }
      </Loaded>
    </div>
  );
}

function Whole({ match }: { match: Match }) {
  const nowMs = useServerNow();
  const colours = useMatchColours(match);
  const around = useMatchAround(match, nowMs);
  return (
    <>
      <MatchStage match={match} colours={colours} nowMs={nowMs} />
      <div className="match-columns">
        <div className="match-main">
          {isPredictable(match, nowMs) ? (
            <PredictionCard match={match} saved={match.prediction} isAlone={true} />
          ) : (
            <Predicted match={match} colours={colours} />
          )}
          <Actions match={match} nowMs={nowMs} />
          {around.table}
        </div>
        <div className="match-main">{around.beside}</div>
      </div>
    </>
  );
}

function Actions({ match, nowMs }: { match: Match; nowMs: number }) {
  return (
    <div className="match-actions">
      {isRemindable(match, nowMs) ? <RemindMe match={match} /> : null}
      {isAhead(match, nowMs) && !isRunning(match) ? (
        <CalendarButton load={() => exportMatch(match.id)} fileName="match.ics" />
      ) : null}
      <Link className={buttonClasses("secondary")} to={paths.chats}>
        <MessageCircle aria-hidden="true" />
        <span>Club chat</span>
      </Link>
    </div>
  );
}

interface PredictedProps {
  match: Match;
  colours: MatchColours;
}

/** The member's prediction with its points, and what all members predicted. */
function Predicted({ match, colours }: PredictedProps) {
  const { prediction, crowd } = match;
  const sharer = useSharer();
  return (
    <>
      {prediction === null ? null : (
        <section className="card match-predicted" aria-label="Your prediction">
          <div className="prediction-told">
            <b>
              You predicted {prediction.home}–{prediction.away}
              {prediction.points === null ? "" : ` · ${inPoints(prediction.points)}`}
            </b>
            <StatusBadge {...outcomeText(match, prediction)} />
            <ShareButton
              sharer={sharer}
              shared={sharedPrediction(match, prediction, prediction.outcome)}
              variant="quiet"
            />
          </div>
        </section>
      )}
      {crowd === null ? null : <Crowd match={match} crowd={crowd} colours={colours} />}
    </>
  );
}

interface CrowdProps extends PredictedProps {
  crowd: NonNullable<Match["crowd"]>;
}

/** What members predicted, as one bar in both clubs' colours. */
function Crowd({ match: { home, away }, crowd, colours }: CrowdProps) {
  const untilAway = crowd.home + crowd.draw;
  return (
    <Panel title="What members predicted">
      <svg className="crowd" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect width={crowd.home} height="10" fill={colours.home?.[0]} />
        <rect className="crowd-draw" x={crowd.home} width={crowd.draw} height="10" />
        <rect x={untilAway} width={100 - untilAway} height="10" fill={colours.away?.[0]} />
      </svg>
      <p className="small muted">
        {counted(crowd.count, "fan")} predicted: {home.name} {crowd.home}%, draw {crowd.draw}%,{" "}
        {away.name} {crowd.away}%
      </p>
    </Panel>
  );
}
