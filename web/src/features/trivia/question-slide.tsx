import "@/components/option-list.css";
import "@/features/trivia/trivia.css";
import { useEffect, useRef } from "react";
import type { TriviaQuestion } from "@/api/wire";
import { optionForKey, readOptions } from "@/lib/format/quiz-options";

interface QuestionSlideProps {
  question: TriviaQuestion;
  chosen: string | undefined;
  onChoose: (key: string) => void;
}

/** A question with its options as radios; 1-4 and A-D choose too. */
export function QuestionSlide({ question, chosen, onChoose }: QuestionSlideProps) {
  const options = readOptions(question.options);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const inDialog = event.target instanceof Element && event.target.closest("dialog");
      const option = inDialog ? null : optionForKey(readOptions(question.options), event);
      if (option !== null) {
        onChoose(option.key);
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [question.options, onChoose]);
  return (
    <fieldset className="trivia-slide">
      <legend>
        <h2 ref={heading} tabIndex={-1}>
          {question.question}
        </h2>
      </legend>
      <div className="options">
        {options.map(({ key, text }) => (
          <label key={key} className={chosen === key ? "option is-chosen" : "option"}>
            <input
              className="option-radio"
              type="radio"
              name={question.id}
              checked={chosen === key}
              onChange={() => onChoose(key)}
            />
            <span className="option-key" aria-hidden="true">
              {key}
            </span>
            <span className="option-text">{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
