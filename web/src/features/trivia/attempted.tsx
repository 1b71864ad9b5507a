import "@/features/trivia/trivia.css";
import { CircleCheck, CircleX } from "lucide-react";
import { Link } from "react-router-dom";
import { useSharer } from "@/api/use-sharer";
import type { TriviaAttempt, TriviaReview } from "@/api/wire";
import { buttonClasses } from "@/components/button";
import { NextTime } from "@/components/next-time";
import { Panel } from "@/components/panel";
import { ResultSign, ResultWords } from "@/components/result-sign";
import { ShareButton } from "@/components/share-button";
import { Streak } from "@/features/trivia/quiz";
import { formatCount } from "@/lib/format/counts";
import { paths } from "@/lib/format/paths";
import { readOptions } from "@/lib/format/quiz-options";

interface AttemptedProps {
  attempt: TriviaAttempt;
  /** Submitted on this screen, a moment ago. */
  justNow: boolean;
}

/** The quest is done: the points, the streak, the wait until tomorrow, and every right answer. */
export function Attempted({ attempt, justNow }: AttemptedProps) {
  const sharer = useSharer();
  return (
    <div className="trivia-done">
      <section className="card closing" aria-labelledby="quest-done">
        {attempt.correct !== null && attempt.total !== null ? (
          <ResultSign correct={attempt.correct} total={attempt.total} />
        ) : null}
        <h2 id="quest-done">
          {justNow
            ? "Congratulations! You have attempted today daily quest question."
            : "You have played today's quest, check back tomorrow"}
        </h2>
        <p className="result-points">
          <span className="numeral">{formatCount(attempt.points ?? 0)}</span>
          <span>points earned</span>
        </p>
        {attempt.correct !== null && attempt.total !== null ? (
          <>
            <p>
              {attempt.correct} of {attempt.total} answered correctly
            </p>
            <ResultWords correct={attempt.correct} total={attempt.total} />
            <ShareButton
              sharer={sharer}
              shared={{ kind: "quest", correct: attempt.correct, total: attempt.total }}
            />
          </>
        ) : null}
        {attempt.streak > 0 ? <Streak days={attempt.streak} /> : null}
        <NextTime at={attempt.nextAt} label="The next quest opens in" />
        <Link className={buttonClasses("primary")} to={paths.leaderBoard}>
          Leader board
        </Link>
      </section>
      {attempt.review.length > 0 ? (
        <Panel title="The right answers">
          <ol className="review">
            {attempt.review.map((reviewed) => (
              <ReviewLine key={reviewed.id} reviewed={reviewed} />
            ))}
          </ol>
        </Panel>
      ) : null}
    </div>
  );
}

function ReviewLine({ reviewed }: { reviewed: TriviaReview }) {
  const options = readOptions(reviewed.options);
  const textOf = (key: string | null) => options.find((option) => option.key === key)?.text ?? key;
  const isRight = reviewed.chosen === reviewed.right;
  const Sign = isRight ? CircleCheck : CircleX;
  return (
    <li className={isRight ? "is-right" : "is-wrong"}>
      <Sign aria-hidden="true" />
      <div>
        <h3>{reviewed.question}</h3>
        <p>
          <span className="muted">{isRight ? "You were right:" : "Right answer:"}</span>{" "}
          <strong>{textOf(reviewed.right)}</strong>
        </p>
        {isRight ? null : (
          <p>
            <span className="muted">Your answer:</span> {textOf(reviewed.chosen) ?? "none"}
          </p>
        )}
        <p className="small muted">{reviewed.explanation}</p>
      </div>
    </li>
  );
}
