import "@/features/battle/question-card.css";
import { Lock } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { OptionList, type OptionMark } from "@/components/option-list";
import { Pips } from "@/components/pips";
import { CountdownRing } from "@/features/battle/countdown-ring";
import type { Served } from "@/features/battle/events";
import { optionForKey } from "@/lib/format/quiz-options";

interface QuestionCardProps {
  served: Served;
  /** The sent answer; empty if the time ran out, null if none was sent. */
  chosen: string | null;
  /** The answer waits for the connection. */
  held?: boolean;
  onChoose?: (key: string) => void;
}

/** The running question: number, clock, options; locked once an answer is sent. */
export function QuestionCard({ served, chosen, held = false, onChoose }: QuestionCardProps) {
  const { question, number, total } = served;
  const card = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // Before it is painted: a tap must not meet an option that has just moved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new question comes into sight
  useLayoutEffect(() => {
    card.current?.scrollIntoView({ block: "start" });
    heading.current?.focus({ preventScroll: true });
  }, [question.id]);
  useAnswerKeys(served, onChoose);
  const marks: Record<string, OptionMark> = chosen ? { [chosen]: "chosen" } : {};
  return (
    <section
      ref={card}
      className="card question-card"
      aria-label={`Question ${number} of ${total}`}
    >
      <header className="question-head">
        <div>
          <p className="question-number">
            Question {number} of {total}
          </p>
          <Pips value={number} total={total} />
        </div>
        <CountdownRing
          key={question.id}
          endsAtMs={served.endsAtMs}
          limitSeconds={served.limitSeconds}
          stopped={chosen !== null}
        />
      </header>
      <h2 ref={heading} tabIndex={-1}>
        {question.question}
      </h2>
      <OptionList
        options={question.options}
        marks={marks}
        locked={chosen !== null}
        onChoose={onChoose}
      />
      <p className="question-note small">{noteOf(chosen, held)}</p>
    </section>
  );
}

function noteOf(chosen: string | null, held: boolean) {
  if (chosen === null) {
    return (
      <>
        <span className="for-touch">Tap an answer.</span>
        <span className="for-keys">Choose an answer, or press 1 to 4.</span> It counts immediately.
      </>
    );
  }
  const locked = chosen === "" ? "Time's up. " : "Locked in. ";
  return (
    <>
      <Lock aria-hidden="true" /> {locked}
      {held ? "It will be sent as soon as you reconnect." : "Waiting for the referee..."}
    </>
  );
}

/** 1-4 and A-D choose an option, unless the member is typing in a field. */
function useAnswerKeys(served: Served, onChoose: ((key: string) => void) | undefined): void {
  const { options } = served.question;
  useEffect(() => {
    if (onChoose === undefined) {
      return;
    }
    const press = (event: KeyboardEvent) => {
      const typing =
        event.target instanceof HTMLElement &&
        event.target.closest("input, textarea, select, dialog");
      const option = typing ? null : optionForKey(options, event);
      if (option !== null) {
        onChoose(option.key);
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [options, onChoose]);
}
