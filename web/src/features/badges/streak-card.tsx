import { useQuery } from "@tanstack/react-query";
import { Flame, Snowflake } from "lucide-react";
import { todayQuery } from "@/api/today";
import type { Today } from "@/api/wire";
import { Loaded } from "@/components/loaded";
import { Skeleton } from "@/components/skeleton";
import { counted, plural } from "@/lib/format/counts";
import { streakNews } from "@/lib/format/streak";
import { useMember } from "@/lib/session/session";

/** The streak: its length, how to keep it, and recent events. */
export function StreakCard() {
  const today = useQuery(todayQuery(useMember()));
  return (
    <section className="card streak-card" aria-labelledby="streak-title">
      <Flame className="streak-mark" aria-hidden="true" />
      <h2 id="streak-title">Streak</h2>
      <Loaded query={today} pending={<StreakWaiting />}>
        {(day) => <Faces day={day} />}
      </Loaded>
    </section>
  );
}

function Faces({ day: { day, me } }: { day: Today }) {
  const { days, best, doneToday, freezesLeft } = me.streak;
  const news = streakNews(me.streak, day);
  return (
    <>
      <p className="streak-days">
        <span className="numeral">{days}</span> <span>{plural(days, "day")} in a row</span>
      </p>
      {news === null ? null : (
        <p className="streak-news">
          {me.streak.ended === null ? <Snowflake aria-hidden="true" /> : null}
          {news}
        </p>
      )}
      <p>
        {doneToday
          ? "You're safe for today."
          : `Play, answer or predict to ${days === 0 ? "start" : "keep"} your streak.`}
      </p>
      <p className="small">
        Best: {counted(best, "day")} · {counted(freezesLeft, "freeze")} left this week
      </p>
    </>
  );
}

function StreakWaiting() {
  return (
    <div className="streak-waiting" role="status" aria-label="Loading the streak">
      <Skeleton shape="block" />
    </div>
  );
}
