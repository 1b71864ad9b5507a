import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { counted } from "@/lib/format/counts";
import { dayName } from "@/lib/format/dates";
import type { ResponseOf } from "~/api/calls";
import { useAnswer } from "~/api/queries";
import { QuestionPicker } from "~/areas/trivia/question-picker";
import { Action } from "~/parts/action";
import { StateBadge } from "~/parts/state-badge";

const READ = "GET /api/v1/admin/trivia/schedule/{day}/{club}";
const WRITE = "PUT /api/v1/admin/trivia/schedule/{day}/{club}";

interface ScheduledDayProps {
  /** Such as `2026-11-21`. */
  day: string;
  /** A club's name, or `all`. */
  club: string;
}

/** A day's questions, editable until they are drawn. */
export function ScheduledDay({ day, club }: ScheduledDayProps) {
  const asked = useAnswer(READ, { inPath: { day, club } });
  return (
    <li className="schedule-day">
      <h2>{dayName(Date.parse(`${day}T12:00:00Z`), Date.now())}</h2>
      <Loaded query={asked} pending={<Skeleton width="60%" />}>
        {(scheduled) => (
          <>
            <div className="schedule-set">
              <Asked scheduled={scheduled} club={club} />
              {scheduled.frozen ? (
                <p className="muted small">Members are playing these: they cannot be changed.</p>
              ) : null}
            </div>
            {scheduled.frozen ? (
              <StateBadge state="drawn" />
            ) : (
              <Changes scheduled={scheduled} day={day} club={club} />
            )}
          </>
        )}
      </Loaded>
    </li>
  );
}

function Asked({ scheduled, club }: { scheduled: ResponseOf<typeof READ>; club: string }) {
  const { questions, frozen } = scheduled;
  if (questions.length > 0) {
    return (
      <>
        <ol className="schedule-questions">
          {questions.map(({ id, question, retired }) => (
            <li key={id}>
              {question} {retired && !frozen ? <StateBadge state="retired" /> : null}
            </li>
          ))}
        </ol>
        {frozen ? null : <LeftOut questions={questions} />}
      </>
    );
  }
  if (frozen) {
    return <p className="muted">Drawn for some clubs. Choose a club to see what it is asked.</p>;
  }
  return <p className="muted">{club === "all" ? "Random" : "Same as all clubs, or random"}</p>;
}

/** A retired question is skipped, so the day is shorter than planned. */
function LeftOut({ questions }: Pick<ResponseOf<typeof READ>, "questions">) {
  const gone = questions.filter(({ retired }) => retired).length;
  const stay = questions.length - gone;
  if (gone === 0) {
    return null;
  }
  return (
    <p className="notice notice-warn" role="status">
      {`${counted(gone, "question")} of this day will not be asked: since retired. `}
      {stay === 0 ? "The day's questions are random. " : `The day asks only ${stay}. `}
      Press Change, remove the retired ones and choose others.
    </p>
  );
}

function Changes({
  scheduled,
  day,
  club,
}: ScheduledDayProps & { scheduled: ResponseOf<typeof READ> }) {
  const steps = { call: WRITE, inPath: { day, club } } as const;
  const isSet = scheduled.questionIds.length > 0;
  return (
    <div className="buttons">
      <Action
        {...steps}
        text="Save"
        button={isSet ? "Change" : "Choose"}
        header={`Questions: ${dayName(Date.parse(`${day}T12:00:00Z`), Date.now())}`}
        current={{ questionIds: scheduled.questionIds }}
        controls={{
          questionIds: (field) => (
            <QuestionPicker field={field} known={scheduled.questions} club={club} />
          ),
        }}
      />
      {isSet ? (
        <Action
          {...steps}
          text="Empty"
          variant="quiet"
          header="Empty this day"
          note="The questions of this day are random again."
          fixed={{ questionIds: [] }}
        />
      ) : null}
    </div>
  );
}
