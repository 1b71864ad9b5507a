import { useMutation, useQuery } from "@tanstack/react-query";
import { CalendarDays, CalendarPlus } from "lucide-react";
import { Link } from "react-router-dom";
import type { CalendarDate } from "@/api/wire";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import { Loaded } from "@/components/loaded";
import { calendarQuery, exportCalendar } from "@/features/matchday/api";
import { MatchesWaiting } from "@/features/matchday/match-list";
import { NO_DATES } from "@/features/matchday/texts";
import { saveAsFile } from "@/lib/device/save-as-file";
import { formatMoment } from "@/lib/format/dates";
import { useMember } from "@/lib/session/session";
import { showFailure } from "@/lib/ui/show-failure";

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
  const save = useMutation({
    mutationFn: exportCalendar,
    onSuccess: (file) => saveAsFile(file, "king-of-fans.ics"),
    onError: showFailure,
  });
  return (
    <Loaded query={dates} pending={<MatchesWaiting />}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState icon={CalendarDays} title={NO_DATES} />
        ) : (
          <>
            <Button
              variant="secondary"
              icon={<CalendarPlus aria-hidden="true" />}
              busy={save.isPending}
              onClick={() => save.mutate()}
            >
              Add to my calendar
            </Button>
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
