import "~/areas/questions/questions.css";
import { useState } from "react";
import { Button } from "@/components/button";
import { Loaded } from "@/components/loaded";
import { Modal } from "@/components/modal";
import { OptionList, type OptionMark } from "@/components/option-list";
import { Skeleton } from "@/components/skeleton";
import { readOptions } from "@/lib/format/quiz-options";
import { usePreview } from "~/api/queries";

interface PreviewedProps {
  question: { id: string; right: string };
}

/** A button that previews a question as on a phone, with the right answer marked. */
export function QuestionPreview({ question }: PreviewedProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        Preview
      </Button>
      {isOpen ? (
        <Modal
          header="As on a phone"
          onClose={() => setIsOpen(false)}
          content={<Phone question={question} />}
        />
      ) : null}
    </>
  );
}

function Phone({ question }: PreviewedProps) {
  const inPath = { question_id: question.id };
  const asked = usePreview("POST /api/v1/admin/questions/{question_id}/preview", { inPath });
  return (
    <div className="phone">
      <Loaded query={asked} pending={<Skeleton />}>
        {(shown) => {
          const options = readOptions(shown.options);
          const right = options.find(({ text }) => text === question.right);
          const marks: Record<string, OptionMark> = right ? { [right.key]: "right" } : {};
          return (
            <>
              <h3>{shown.question}</h3>
              <OptionList options={options} marks={marks} locked />
              <p className="muted small">Shown after the answer</p>
              <p>{shown.explanation}</p>
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
