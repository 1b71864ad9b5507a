import { ArrowRight, CircleQuestionMark, Swords } from "lucide-react";
import { Link } from "react-router-dom";
import { buttonClasses } from "@/components/button";
import { paths } from "@/lib/paths";

/** The door to the Battle Zone. */
export function BattleCard() {
  return (
    <section className="card game-card battle-card" aria-labelledby="battle-title">
      <Swords className="game-icon" aria-hidden="true" />
      <h2 id="battle-title">Battle Zone</h2>
      <p>Answer against the clock and climb until you are King of Fans.</p>
      <Link className={buttonClasses("accent")} to={paths.battleZone}>
        Battle Zone <ArrowRight aria-hidden="true" />
      </Link>
    </section>
  );
}

/** The door to the daily quest. */
export function TriviaCard() {
  return (
    <section className="card game-card trivia-card" aria-labelledby="trivia-title">
      <CircleQuestionMark className="game-icon" aria-hidden="true" />
      <h2 id="trivia-title">Trivia</h2>
      <p>A new daily quest. Each question carries 5 points.</p>
      <Link className={buttonClasses("primary")} to={paths.trivia}>
        Start <span className="visually-hidden">the daily quest</span>
      </Link>
    </section>
  );
}
