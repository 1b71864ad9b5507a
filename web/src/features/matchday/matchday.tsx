import "@/features/matchday/matchday.css";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import { Loaded } from "@/components/loaded";
import { Segments } from "@/components/segments";
import { AllDates } from "@/features/matchday/all-dates";
import { matchesQuery, type Whose } from "@/features/matchday/api";
import { LeagueTables } from "@/features/matchday/league-table";
import { useLiveMatches } from "@/features/matchday/live";
import { MatchesWaiting, MatchList } from "@/features/matchday/match-list";
import { isAhead, isNear } from "@/features/matchday/rules";
import { NO_DATES, NO_FIXTURES_OF_CLUB } from "@/features/matchday/texts";
import { serverNowMs } from "@/lib/server-clock";
import { useMember } from "@/lib/session";

const SHOWN = ["fixtures", "results", "table", "dates"] as const;
type Shown = (typeof SHOWN)[number];

const TABS: { value: Shown; text: string }[] = [
  { value: "fixtures", text: "Fixtures" },
  { value: "results", text: "Results" },
  { value: "table", text: "Table" },
  { value: "dates", text: "All dates" },
];

/** Matches to come and played, the table, and all dates; what is shown is in the address. */
export function Matchday() {
  const member = useMember();
  const [address, setAddress] = useSearchParams();
  const shown = SHOWN.find((one) => one === address.get("show")) ?? "fixtures";
  const whose: Whose = address.get("club") === "all" ? "all" : "club";
  const matches = useQuery(matchesQuery(member, whose));
  const nowMs = serverNowMs();
  const near = (matches.data ?? []).filter((match) => isNear(match, nowMs));
  useLiveMatches(whose === "all" ? near.map(({ id }) => id) : []);
  const go = (choice: { show?: Shown; club?: Whose }) =>
    setAddress({ ...Object.fromEntries(address), ...choice }, { replace: true });
  return (
    <div className="matchday">
      <Segments
        label="What to see"
        options={TABS}
        value={shown}
        onChange={(show) => go({ show })}
      />
      {shown === "table" ? <LeagueTables matches={matches.data} /> : null}
      {shown === "dates" ? <AllDates /> : null}
      {shown === "fixtures" || shown === "results" ? (
        <>
          <Segments
            label="Whose matches"
            options={[
              { value: "club", text: member.clubName },
              { value: "all", text: "All clubs" },
            ]}
            value={whose}
            onChange={(club) => go({ club })}
          />
          <Loaded asked={matches} pending={<MatchesWaiting />}>
            {(all) =>
              shown === "fixtures" ? (
                <MatchList
                  matches={all.filter((match) => isAhead(match, nowMs))}
                  empty={whose === "club" ? NO_FIXTURES_OF_CLUB : NO_DATES}
                />
              ) : (
                <MatchList
                  matches={all.filter((match) => !isAhead(match, nowMs)).reverse()}
                  empty="No results yet"
                />
              )
            }
          </Loaded>
        </>
      ) : null}
    </div>
  );
}
