import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleQuestionMark, Flame } from "lucide-react";
import { Link } from "react-router-dom";
import type { TriviaAttempt } from "@/api/wire";
import { buttonClasses } from "@/components/button";
import { attemptQuery } from "@/features/trivia/api";
import { paths } from "@/lib/paths";
import { earnedPoints } from "@/lib/points";
import { useMember } from "@/lib/session";

/** The door to the daily quest: open, or done for today; with the streak that is at stake. */
export function TriviaCard() {
  const attempt = useQuery(attemptQuery(useMember())).data;
  const isDone = typeof attempt?.points === "number";
  return (
    <section className="card game-card trivia-card" aria-labelledby="trivia-title">
      <CircleQuestionMark className="game-icon" aria-hidden="true" />
      <h2 id="trivia-title">Trivia</h2>
      <p>
        {isDone
          ? "Done for today. The next quest opens at midnight."
          : "A new daily quest. Each question carries 5 points."}
      </p>
      {attempt ? <TodaySigns attempt={attempt} /> : null}
      <Link className={buttonClasses("primary")} to={paths.trivia}>
        {isDone ? (
          "See the answers"
        ) : (
          <>
            Start <span className="visually-hidden">the daily quest</span>
          </>
        )}
      </Link>
    </section>
  );
}

function TodaySigns({ attempt: { points, streak } }: { attempt: TriviaAttempt }) {
  if (points === null && streak === 0) {
    return null;
  }
  return (
    <ul className="game-signs">
      {points === null ? null : (
        <li>
          <CircleCheck aria-hidden="true" />
          {earnedPoints(points)} today
        </li>
      )}
      {streak > 0 ? (
        <li>
          <Flame aria-hidden="true" />
          {streak}-day streak
        </li>
      ) : null}
    </ul>
  );
}
