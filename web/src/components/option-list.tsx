import "@/components/option-list.css";
import { Check, X } from "lucide-react";
import type { QuizOption } from "@/lib/format/quiz-options";

export type OptionMark = "chosen" | "right" | "wrong";

interface OptionListProps {
  options: QuizOption[];
  marks: Record<string, OptionMark>;
  locked: boolean;
  onChoose?: ((key: string) => void) | undefined;
}

const SPOKEN: Record<OptionMark, string> = {
  chosen: "your answer",
  right: "right answer",
  wrong: "your answer, wrong",
};

/** The options of a question as buttons, each with its letter. */
export function OptionList({ options, marks, locked, onChoose }: OptionListProps) {
  return (
    <ul className="options">
      {options.map(({ key, text }) => {
        const mark = marks[key];
        return (
          <li key={key}>
            <button
              type="button"
              className={mark ? `option is-${mark}` : "option"}
              aria-pressed={mark === "chosen"}
              disabled={locked}
              onClick={() => onChoose?.(key)}
            >
              <span className="option-key">{key}</span>
              <span className="option-text">{text}</span>
              {mark === "right" ? <Check aria-hidden="true" /> : null}
              {mark === "wrong" ? <X aria-hidden="true" /> : null}
              {mark ? <span className="visually-hidden">({SPOKEN[mark]})</span> : null}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
