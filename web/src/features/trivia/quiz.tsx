import "@/features/trivia/trivia.css";
import { Flame } from "lucide-react";
import { useState } from "react";
import type { TriviaAttempt, TriviaQuestion } from "@/api/wire";
import { Button } from "@/components/button";
import { Pips } from "@/components/pips";
import { ConfirmSubmit } from "@/features/trivia/confirm-submit";
import { useDraft } from "@/features/trivia/draft";
import { QuestionSlide } from "@/features/trivia/question-slide";
import { useSubmit } from "@/features/trivia/use-submit";
import { useMember } from "@/lib/session/session";
import { showToast } from "@/lib/ui/toasts";

const NOTHING_ANSWERED = "Please answer at least one question.";

interface QuizProps {
  questions: TriviaQuestion[];
  attempt: TriviaAttempt;
  onFinished: () => void;
  onExpired: () => void;
}

/** One question per slide, forwards and backwards, and a submit at the end. */
export function Quiz({ questions, attempt, onFinished, onExpired }: QuizProps) {
  const { id } = useMember();
  const [day] = useState(attempt.day);
  const draft = useDraft(id, day);
  const [confirming, setConfirming] = useState(false);
  const submit = useSubmit(
    { ...attempt, day },
    { onAnswered: () => setConfirming(false), onFinished, onExpired },
  );
  const slide = Math.min(draft.slide, questions.length - 1);
  const question = questions[slide];
  const unanswered = questions.flatMap(({ id: questionId }, index) =>
    draft.answers[questionId] === undefined ? [index] : [],
  );
  if (question === undefined) {
    return null;
  }
  const isBlank = unanswered.length === questions.length;
  const isLast = slide === questions.length - 1;
  const jumpTo = (index: number) => {
    setConfirming(false);
    draft.goTo(index);
  };
  return (
    <section className="card question-card trivia" aria-label="Daily Quest">
      <header className="question-head">
        <div>
          <p className="question-number">
            {slide + 1} of {questions.length}
          </p>
          <Pips
            value={questions.map(({ id: questionId }) => questionId in draft.answers)}
            total={questions.length}
            current={slide + 1}
          />
        </div>
        {attempt.streak > 0 ? <Streak days={attempt.streak} /> : null}
      </header>
      <p className="small muted">Each question carries 5 points</p>
      <QuestionSlide
        key={question.id}
        question={question}
        chosen={draft.answers[question.id]}
        onChoose={(key) => draft.answer(question.id, key)}
      />
      <footer className="trivia-steps">
        <Button variant="secondary" disabled={slide === 0} onClick={() => draft.goTo(slide - 1)}>
          Previous
        </Button>
        {isLast ? (
          <Button
            variant="accent"
            onClick={() => (isBlank ? showToast("error", NOTHING_ANSWERED) : setConfirming(true))}
          >
            Submit
          </Button>
        ) : (
          <Button onClick={() => draft.goTo(slide + 1)}>Next</Button>
        )}
      </footer>
      {confirming ? (
        <ConfirmSubmit
          unanswered={unanswered}
          busy={submit.isPending}
          onJump={jumpTo}
          onSubmit={() => submit.mutate(draft.answers)}
          onClose={() => setConfirming(false)}
        />
      ) : null}
    </section>
  );
}

/** The number of days in a row with a quest. */
export function Streak({ days }: { days: number }) {
  return (
    <p className="streak">
      <Flame aria-hidden="true" />
      {days}-day streak
    </p>
  );
}
