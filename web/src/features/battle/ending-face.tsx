import "@/features/battle/ending-face.css";
import { Flag, Hourglass, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { useSharer } from "@/api/use-sharer";
import { Button, buttonClasses } from "@/components/button";
import { NextTime } from "@/components/next-time";
import { ResultSign, ResultWords } from "@/components/result-sign";
import { ShareButton } from "@/components/share-button";
import type { Ending } from "@/features/battle/events";
import { counted, formatCount } from "@/lib/format/counts";
import { paths } from "@/lib/format/paths";
import { unitOf } from "@/lib/format/points";

interface EndingFaceProps {
  ending: Ending;
  onLeave: () => void;
}

/** How the day in the zone ended: all questions played, used up earlier, or none left. */
export function EndingFace({ ending, onLeave }: EndingFaceProps) {
  switch (ending.how) {
    case "no-more":
      return <PlayedThrough ending={ending} onLeave={onLeave} />;
    case "attempted-all":
      return (
        <Closing
          sign={<Hourglass aria-hidden="true" />}
          title="You have played today's questions"
          onLeave={onLeave}
        >
          {ending.message ? <p>{ending.message}</p> : null}
          <NextTime at={ending.nextOpensAt} label="The next questions open in" />
        </Closing>
      );
    case "empty":
      return (
        <Closing
          sign={<SearchX aria-hidden="true" />}
          title="No questions for you at the moment"
          onLeave={onLeave}
        >
          <p>
            {ending.message ||
              "You have answered every question for your rank. New ones are on the way."}
          </p>
        </Closing>
      );
  }
}

function PlayedThrough({
  ending,
  onLeave,
}: {
  ending: Extract<Ending, { how: "no-more" }>;
  onLeave: () => void;
}) {
  const { season, today } = ending;
  const sharer = useSharer();
  const played = today ?? season;
  return (
    <Closing
      sign={<Flag aria-hidden="true" />}
      result={today ? { correct: today.answeredCorrectly, total: today.served } : null}
      title="Full time!"
      share={
        today ? (
          <ShareButton
            sharer={sharer}
            shared={{ kind: "battle", correct: today.answeredCorrectly, total: today.served }}
          />
        ) : null
      }
      onLeave={onLeave}
    >
      {ending.message ? <p>{ending.message}</p> : null}
      <p className="result-points">
        <span className="numeral">{formatCount(played.points)}</span>
        <span>{today ? `${unitOf(played.points)} today` : `season ${unitOf(played.points)}`}</span>
      </p>
      {today ? (
        <>
          <p>
            {formatCount(today.answeredCorrectly)} of {formatCount(today.served)} right
          </p>
          <ResultWords correct={today.answeredCorrectly} total={today.served} />
        </>
      ) : null}
      {today && today.timedOut > 0 ? <p>{formatCount(today.timedOut)} ran out of time</p> : null}
      {today ? (
        <p className="small muted">
          This season: {formatCount(season.points)} season {unitOf(season.points)},{" "}
          {counted(season.answeredCorrectly, "right answer")}
        </p>
      ) : null}
      <NextTime at={ending.nextOpensAt} label="The next questions open in" />
    </Closing>
  );
}

interface ClosingProps {
  sign: ReactNode;
  /** The day's result, which replaces the sign. */
  result?: { correct: number; total: number } | null;
  title: string;
  share?: ReactNode;
  onLeave: () => void;
  children: ReactNode;
}

function Closing({ sign, result, title, share, onLeave, children }: ClosingProps) {
  return (
    <section className="card closing" aria-labelledby="battle-closing">
      {result ? <ResultSign {...result} /> : <span className="empty-icon">{sign}</span>}
      <h2 id="battle-closing">{title}</h2>
      {children}
      <div className="closing-actions">
        <Link className={buttonClasses("primary")} to={paths.leaderBoard}>
          Leader board
        </Link>
        {share}
        <Button variant={share ? "quiet" : "secondary"} onClick={onLeave}>
          Back to the ladder
        </Button>
      </div>
    </section>
  );
}
