import "@/features/matchday/matchday.css";
import "@/features/matchday/predictions.css";
import { useMutation, useQuery } from "@tanstack/react-query";
import { CalendarPlus, CalendarX, MessageCircle } from "lucide-react";
import { Link, useParams } from "react-router-dom";
import { useSharer } from "@/api/use-sharer";
import type { Match, MatchTeam } from "@/api/wire";
import { Button, buttonClasses } from "@/components/button";
import { Crest } from "@/components/crest";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { ShareButton } from "@/components/share-button";
import { StatusBadge } from "@/components/status-badge";
import { exportMatch, matchQuery } from "@/features/matchday/api";
import { Ground } from "@/features/matchday/ground";
import { useLiveMatches } from "@/features/matchday/live";
import { MatchesWaiting } from "@/features/matchday/match-list";
import { PredictionCard } from "@/features/matchday/prediction-card";
import { isPredictable, outcomeText, sharedPrediction } from "@/features/matchday/prediction-rules";
import { RemindMe } from "@/features/matchday/remind-me";
import { isAhead, isRemindable, isRunning, playedFor, stateText } from "@/features/matchday/rules";
import { saveAsFile } from "@/lib/device/save-as-file";
import { counted } from "@/lib/format/counts";
import { formatMoment } from "@/lib/format/dates";
import { paths } from "@/lib/format/paths";
import { useServerNow } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";

/** A match: the live score, the scorers and the prediction. */
export default function MatchScreen() {
  const { id } = useMember();
  const { id: matchId = "" } = useParams();
  const match = useQuery(matchQuery(id, matchId));
  useLiveMatches([matchId]);
  return (
    <div className="matchday">
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
            <Score match={found} />
          )
        }
      </Loaded>
    </div>
  );
}

function Score({ match }: { match: Match }) {
  const nowMs = useServerNow();
  const { home, away, goals, venue, kickOffAt } = match;
  const save = useMutation({
    mutationFn: () => exportMatch(match.id),
    onSuccess: (file) => saveAsFile(file, "match.ics"),
    onError: showFailure,
  });
  return (
    <>
      <section className="card match-card" aria-label={`${home.name} against ${away.name}`}>
        {home.clubId === null ? null : <Ground clubId={home.clubId} />}
        <p className="small muted">{playedFor(match)}</p>
        <div className="match-score">
          <Side team={home} />
          <p className="match-goals" role="status">
            {goals === null ? (
              <span className="match-versus">v</span>
            ) : (
              <b>
                {goals.home}
                <span className="visually-hidden"> to </span>
                <span aria-hidden="true">–</span>
                {goals.away}
              </b>
            )}
            <span className={`match-state${isRunning(match) ? " is-running" : ""}`}>
              {stateText(match, nowMs)}
            </span>
          </p>
          <Side team={away} />
        </div>
        <p className="small">
          {formatMoment(kickOffAt)}
          {venue === null ? "" : ` · ${venue}`}
        </p>
        <Scorers match={match} />
      </section>
      {isPredictable(match, nowMs) ? (
        <PredictionCard match={match} saved={match.prediction} isAlone={true} />
      ) : (
        <Predicted match={match} />
      )}
      <div className="match-actions">
        {isRemindable(match, nowMs) ? <RemindMe match={match} /> : null}
        {isAhead(match, nowMs) && !isRunning(match) ? (
          <Button
            variant="secondary"
            icon={<CalendarPlus aria-hidden="true" />}
            busy={save.isPending}
            onClick={() => save.mutate()}
          >
            Add to my calendar
          </Button>
        ) : null}
        <Link className={buttonClasses("secondary")} to={paths.chats}>
          <MessageCircle aria-hidden="true" />
          <span>Club chat</span>
        </Link>
      </div>
    </>
  );
}

function Side({ team }: { team: MatchTeam }) {
  return (
    <div className="match-side">
      <Crest clubName={team.name} emblem={team.emblem} size={56} />
      <h2>{team.name}</h2>
    </div>
  );
}

/** The scorers; none after a correction without them. */
function Scorers({ match: { scored, goals, home, away } }: { match: Match }) {
  const isWhole = goals !== null && scored.length === goals.home + goals.away;
  return scored.length === 0 || !isWhole ? null : (
    <ul className="match-scored small">
      {scored.map(({ side, minute }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two goals of a minute differ by their place
        <li key={index} className={`of-${side}`}>
          {minute}' {side === "home" ? home.name : away.name}
        </li>
      ))}
    </ul>
  );
}

function Predicted({ match }: { match: Match }) {
  const { prediction, crowd, home, away } = match;
  const sharer = useSharer();
  if (prediction === null && crowd === null) {
    return null;
  }
  return (
    <section className="card match-predicted" aria-label="Predictions">
      {prediction === null ? null : (
        <div className="prediction-told">
          <span>
            Your prediction: {prediction.home}–{prediction.away}
          </span>
          <StatusBadge {...outcomeText(match, prediction)} />
          <ShareButton
            sharer={sharer}
            shared={sharedPrediction(match, prediction, prediction.outcome)}
            variant="quiet"
          />
        </div>
      )}
      {crowd === null ? null : (
        <p className="small muted">
          {counted(crowd.count, "fan")} predicted: {home.name} {crowd.home}%, draw {crowd.draw}%,{" "}
          {away.name} {crowd.away}%
        </p>
      )}
    </section>
  );
}
