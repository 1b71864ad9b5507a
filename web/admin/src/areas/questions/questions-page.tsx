import "~/areas/questions/questions.css";
import { Link } from "react-router-dom";
import { buttonClasses } from "@/components/button";
import type { RowOf } from "~/api/calls";
import { useMay } from "~/api/operator";
import { QuestionPreview } from "~/areas/questions/question-preview";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import { CLUB_CONTROL, CLUB_FILTER } from "~/parts/club-choice";
import { ResourceList } from "~/parts/resource-list";
import { StateBadge } from "~/parts/state-badge";

type Question = RowOf<"GET /api/v1/admin/questions">;

const IMPORT = "POST /api/v1/admin/questions/imports";
const LABELS = {
  slug: "Slug",
  right: "Right answer",
  wrong_1: "Wrong answer 1",
  wrong_2: "Wrong answer 2",
  wrong_3: "Wrong answer 3",
};

const DIFFICULTY = "1 easy, 2, 3 hard";

/** The question bank, with answer statistics of the last 90 days. */
export default function QuestionsPage() {
  const mayImport = useMay(IMPORT);
  return (
    <ResourceList
      call="GET /api/v1/admin/questions"
      noun="question"
      empty="No questions"
      labels={{ flag: "Flag", q: "Text or slug" }}
      controls={CLUB_FILTER}
      beside={
        <>
          {mayImport ? (
            <Link className={buttonClasses("secondary")} to="/questions/import">
              Import CSV
            </Link>
          ) : null}
          <Action
            call="POST /api/v1/admin/questions"
            text="New question"
            variant="primary"
            fixed={{ replaces: null }}
            note="An existing question with the same slug is corrected instead."
            labels={LABELS}
            hints={{
              slug: "Small letters, digits and hyphens, such as laws-goal-width",
              difficulty: DIFFICULTY,
            }}
            controls={CLUB_CONTROL}
          />
        </>
      }
      columns={[
        {
          title: "Question",
          value: (question) => question.question,
          show: ({ question, right, slug }) => (
            <div className="asked-question">
              {question}
              <div className="small">Answer: {right}</div>
              <div className="small muted">{slug}</div>
            </div>
          ),
        },
        { title: "Game", as: "word", value: (question) => question.kind },
        {
          title: "Topic",
          value: ({ topic, club }) => `${topic}, ${club ?? "all clubs"}`,
          show: ({ topic, club }) => (
            <div>
              <span className="is-whole">{topic}</span>
              <div className="small muted is-whole">{club ?? "All clubs"}</div>
            </div>
          ),
        },
        { title: "Asked", as: "number", value: (question) => question.asked, total: true },
        {
          title: "Right",
          as: "number",
          value: (question) => percentOf(question.rightShare),
          sortBy: (question) => question.rightShare,
        },
        {
          title: "Median",
          minor: true,
          as: "number",
          value: (question) => secondsOf(question.medianSeconds),
          sortBy: (question) => question.medianSeconds,
        },
        {
          title: "Flagged",
          value: (question) => question.flags.map(labelOf).join(", "),
          show: ({ flags }) => (flags.length === 0 ? "–" : <Flags flags={flags} />),
        },
      ]}
      actions={(question) => <QuestionActions question={question} />}
    />
  );
}

function Flags({ flags }: { flags: Question["flags"] }) {
  return (
    <span className="buttons">
      {flags.map((flag) => (
        <StateBadge key={flag} state={flag} />
      ))}
    </span>
  );
}

function QuestionActions({ question }: { question: Question }) {
  return (
    <>
      <QuestionPreview question={question} />
      {question.retiredAt === null ? (
        <>
          <Action
            call="POST /api/v1/admin/questions"
            text="Save"
            button="Change"
            header="Change this question"
            note="The new version is asked from now on. Answers to the old one keep their result."
            fixed={{ slug: question.slug, replaces: question.id }}
            current={fieldsOf(question)}
            labels={LABELS}
            hints={{ difficulty: DIFFICULTY }}
            controls={CLUB_CONTROL}
          />
          <Action
            call="POST /api/v1/admin/questions/{question_id}/retire"
            inPath={{ question_id: question.id }}
            text="Retire"
            variant="quiet"
            header="Retire this question"
            note="It is no longer asked. Existing answers stay."
          />
        </>
      ) : null}
    </>
  );
}

/** The question as its form has it. */
function fieldsOf({ wrong, ...question }: Question) {
  const [wrong_1, wrong_2, wrong_3] = wrong;
  return { ...question, wrong_1, wrong_2, wrong_3 };
}

function percentOf(share: number | null): string | null {
  return share === null ? null : `${Math.round(share * 100)}%`;
}

function secondsOf(seconds: number | null): string | null {
  return seconds === null ? null : `${seconds} s`;
}
