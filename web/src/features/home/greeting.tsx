import "@/features/home/greeting.css";
import { useQuery } from "@tanstack/react-query";
import { Flame } from "lucide-react";
import { Link } from "react-router-dom";
import { todayQuery } from "@/api/today";
import { Skeleton } from "@/components/skeleton";
import { paths } from "@/lib/format/paths";
import { streakNews, streakText } from "@/lib/format/streak";
import { useMember } from "@/lib/session/session";

/** Greets the member by first name, with the streak and its recent events. */
export function Greeting() {
  const member = useMember();
  const today = useQuery(todayQuery(member)).data;
  const news = today ? streakNews(today.me.streak, today.day) : null;
  return (
    <div className="greeting">
      <p className="greeting-name">
        Welcome, <strong>{member.firstName}</strong>
      </p>
      <p className="small muted">{news ?? `Here's how you and ${member.clubName} are doing.`}</p>
      {today ? (
        <Link
          className={today.me.streak.doneToday ? "streak-chip is-done" : "streak-chip"}
          to={today.me.streak.days > 0 ? paths.badges : today.action.path}
        >
          <Flame aria-hidden="true" />
          {streakText(today.me.streak.days)}
        </Link>
      ) : (
        <span className="streak-chip">
          <Skeleton width="6em" />
        </span>
      )}
    </div>
  );
}
