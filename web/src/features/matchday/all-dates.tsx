import { useQuery } from "@tanstack/react-query";
import { CalendarDays } from "lucide-react";
import { Link } from "react-router-dom";
import type { CalendarDate } from "@/api/wire";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { calendarQuery, exportCalendar } from "@/features/matchday/api";
import { CalendarButton } from "@/features/matchday/calendar-button";
import { MatchesWaiting } from "@/features/matchday/match-list";
import { NO_DATES } from "@/features/matchday/texts";
import { formatMoment } from "@/lib/format/dates";
import { useMember } from "@/lib/session/session";

const KINDS: Record<CalendarDate["kind"], string> = {
  fixture: "Match",
  club_battle: "Club battle",
  season: "Season",
  rank: "Rank",
  plan: "Plan",
};

/** Everything with a date, nearest first, and a calendar file of it. */
export function AllDates() {
  const dates = useQuery(calendarQuery(useMember()));
  return (
    <Loaded query={dates} pending={<MatchesWaiting />}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState icon={CalendarDays} title={NO_DATES} />
        ) : (
          <>
            <CalendarButton load={exportCalendar} fileName="king-of-fans.ics" />
            <ul className="card row-list">
              {rows.map((row) => (
                <li key={`${row.kind} ${row.id} ${row.title}`}>
                  <Link className="date-row" to={row.path}>
                    <span className="date-kind small muted">{KINDS[row.kind]}</span>
                    <b>{row.title}</b>
                    <span className="small">
                      {formatMoment(row.startsAt)}
                      {row.endsAt === null || row.kind === "fixture"
                        ? ""
                        : ` to ${formatMoment(row.endsAt)}`}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )
      }
    </Loaded>
  );
}
