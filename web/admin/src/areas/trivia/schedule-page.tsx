import "~/areas/trivia/trivia.css";
import { useSearchParams } from "react-router-dom";
import { Field } from "@/components/field";
import { SelectBox } from "@/components/select-box";
import { dayOf } from "@/lib/format/dates";
import { useClubNames } from "~/api/clubs";
import { ScheduledDay } from "~/areas/trivia/scheduled-day";

const DAYS_AHEAD = 14;
const DAY_MS = 24 * 60 * 60 * 1000;
const ALL = "all";

/** The questions of the next days' daily quests, for all clubs or one of them. */
export default function SchedulePage() {
  const clubs = useClubNames();
  const [search, setSearch] = useSearchParams();
  const club = search.get("club") ?? ALL;
  const now = Date.now();
  const days = Array.from({ length: DAYS_AHEAD }, (_, ahead) => dayOf(now + ahead * DAY_MS));
  return (
    <div className="screen">
      <Field
        label="Club"
        className="schedule-club"
        hint="A club's own set takes priority over the general one; days without a set are random."
      >
        {(control) => (
          <SelectBox
            control={control}
            name="club"
            value={club}
            onChange={(chosen) => setSearch(chosen === ALL ? {} : { club: chosen })}
          >
            <option value={ALL}>All clubs</option>
            {[...new Set(club === ALL ? clubs : [club, ...clubs])].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </SelectBox>
        )}
      </Field>
      <ol className="card schedule">
        {days.map((day) => (
          <ScheduledDay key={`${day} ${club}`} day={day} club={club} />
        ))}
      </ol>
    </div>
  );
}
