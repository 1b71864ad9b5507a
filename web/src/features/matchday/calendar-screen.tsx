import "@/features/matchday/matchday.css";
import {
  type InfiniteData,
  type InfiniteQueryObserverResult,
  useInfiniteQuery,
} from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import type { Match } from "@/api/wire";
import { Button } from "@/components/button";
import { Loaded } from "@/components/loaded";
import { Segments } from "@/components/segments";
import { AllDates } from "@/features/matchday/all-dates";
import { matchesQuery, type When, type Whose } from "@/features/matchday/api";
import { LeagueTables } from "@/features/matchday/league-table";
import { useLiveMatches } from "@/features/matchday/live";
import { MatchesWaiting, MatchList } from "@/features/matchday/match-list";
import { isAhead, isNear } from "@/features/matchday/rules";
import { NO_DATES, NO_FIXTURES_OF_CLUB } from "@/features/matchday/texts";
import { serverNowMs } from "@/lib/live/server-clock";
import { useMember } from "@/lib/session/session";

const SHOWN = ["fixtures", "results", "table", "dates"] as const;
type Shown = (typeof SHOWN)[number];

const TABS: { value: Shown; text: string }[] = [
  { value: "fixtures", text: "Fixtures" },
  { value: "results", text: "Results" },
  { value: "table", text: "Table" },
  { value: "dates", text: "All dates" },
];

const MORE: Record<When, string> = { fixtures: "Show later", results: "Show earlier" };
const NO_MORE: Record<When, string> = {
  fixtures: "No more fixtures are announced.",
  results: "There are no earlier results.",
};

const NONE: Record<When, Record<Whose, string>> = {
  fixtures: { club: NO_FIXTURES_OF_CLUB, all: NO_DATES },
  results: { club: "No results yet", all: "No results yet" },
};

/** Upcoming and past matches, the table, and all dates; the choice is in the URL. */
export default function CalendarScreen() {
  const [address, setAddress] = useSearchParams();
  const shown = SHOWN.find((one) => one === address.get("show")) ?? "fixtures";
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
      {shown === "table" ? <LeagueTables /> : null}
      {shown === "dates" ? <AllDates /> : null}
      {shown === "fixtures" || shown === "results" ? (
        <Matches
          whose={address.get("club") === "all" ? "all" : "club"}
          when={shown}
          onChoose={(club) => go({ club })}
        />
      ) : null}
    </div>
  );
}

type Pages = InfiniteQueryObserverResult<InfiniteData<Match[]>>;

interface MatchesProps {
  whose: Whose;
  when: When;
  onChoose: (whose: Whose) => void;
}

function Matches({ whose, when, onChoose }: MatchesProps) {
  const member = useMember();
  const asked = useInfiniteQuery(matchesQuery(member, whose, when));
  const nowMs = serverNowMs();
  const near = (asked.data?.pages.flat() ?? []).filter((match) => isNear(match, nowMs));
  useLiveMatches(whose === "all" ? near.map(({ id }) => id) : []);
  return (
    <>
      <Segments
        label="Whose matches"
        options={[
          { value: "club", text: member.clubName },
          { value: "all", text: "All clubs" },
        ]}
        value={whose}
        onChange={onChoose}
      />
      <Loaded query={asked} pending={<MatchesWaiting />}>
        {({ pages }) => {
          const matches = matchesOf(pages, when, nowMs);
          const isEmpty = whose === "club" && matches.length === 0;
          return (
            <>
              <MatchList matches={matches} empty={NONE[when][whose]} />
              {asked.hasNextPage && !isEmpty ? (
                <Button
                  variant="secondary"
                  busy={asked.isFetchingNextPage}
                  onClick={() => void showMore(asked)}
                >
                  {MORE[when]}
                </Button>
              ) : null}
              {pages.length > 1 && !asked.hasNextPage ? (
                <p className="small muted">{NO_MORE[when]}</p>
              ) : null}
            </>
          );
        }}
      </Loaded>
    </>
  );
}

/** Fetch on until something is found: pages between two seasons are empty. */
async function showMore(asked: Pages): Promise<void> {
  let next = asked;
  do {
    next = await next.fetchNextPage();
  } while (next.hasNextPage && !next.isError && next.data?.pages.at(-1)?.length === 0);
}

/** Upcoming matches, nearest first; or past ones, latest first. */
function matchesOf(pages: Match[][], when: When, nowMs: number): Match[] {
  return when === "fixtures"
    ? pages.flat().filter((match) => isAhead(match, nowMs))
    : pages.flatMap((page) => [...page].reverse()).filter((match) => !isAhead(match, nowMs));
}
