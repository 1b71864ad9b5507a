import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Trophy } from "lucide-react";
import { useSearchParams } from "react-router-dom";
import { todayQuery } from "@/api/today";
import type { Competition, LeagueRow } from "@/api/wire";
import { Crest } from "@/components/crest";
import { EmptyState } from "@/components/empty-state";
import { Field } from "@/components/field";
import { Loaded } from "@/components/loaded";
import { Panel } from "@/components/panel";
import { SelectBox } from "@/components/select-box";
import { competitionsQuery, leagueTableQuery, matchesQuery } from "@/features/matchday/api";
import { MatchesWaiting } from "@/features/matchday/match-list";
import { useMember } from "@/lib/session/session";

const NO_TABLE = "No table yet";
const NO_ROWS = "No table yet. It fills with the first results.";

/** The table of a competition: the own club's by default. */
export function LeagueTables() {
  const member = useMember();
  const competitions = useQuery(competitionsQuery(member.id));
  const played = useInfiniteQuery(matchesQuery(member, "club", "results")).data?.pages[0];
  const next = useQuery(todayQuery(member)).data?.nextMatch;
  const own = next ?? played?.at(-1);
  return (
    <Loaded query={competitions} pending={<MatchesWaiting />}>
      {(all) => <Tables competitions={all} own={own?.competition.id} />}
    </Loaded>
  );
}

function Tables({ competitions, own }: { competitions: Competition[]; own: string | undefined }) {
  const [address, setAddress] = useSearchParams();
  const wanted = address.get("competition") ?? own;
  const chosen = competitions.find(({ id }) => id === wanted) ?? competitions[0];
  if (chosen === undefined) {
    return <EmptyState icon={Trophy} title={NO_TABLE} />;
  }
  const choose = (competition: string) =>
    setAddress({ ...Object.fromEntries(address), competition }, { replace: true });
  return (
    <>
      {competitions.length > 1 ? (
        <Field label="Competition">
          {(control) => (
            <SelectBox control={control} name="competition" value={chosen.id} onChange={choose}>
              {competitions.map(({ id, name, season }) => (
                <option key={id} value={id}>
                  {name}, {season}
                </option>
              ))}
            </SelectBox>
          )}
        </Field>
      ) : null}
      <Table competition={chosen} />
    </>
  );
}

function Table({ competition }: { competition: Competition }) {
  const { id, clubName } = useMember();
  const table = useQuery(leagueTableQuery(id, competition.id));
  return (
    <Panel title={competition.name} className="league-panel">
      <p className="small muted">
        {competition.season}
        {competition.demo && !competition.season.includes("Demo") ? " · Demo season" : ""}
      </p>
      <Loaded query={table} pending={<MatchesWaiting />}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={Trophy} title={NO_ROWS} />
          ) : (
            <LeagueRows rows={rows} isMarked={({ team }) => team.name === clubName} />
          )
        }
      </Loaded>
    </Panel>
  );
}

const COLUMNS: {
  short: string;
  name: string;
  of: keyof LeagueRow & string;
  on?: "on-wide" | "on-roomy";
}[] = [
  { short: "P", name: "Played", of: "played", on: "on-roomy" },
  { short: "W", name: "Won", of: "won", on: "on-roomy" },
  { short: "D", name: "Drawn", of: "drawn", on: "on-roomy" },
  { short: "L", name: "Lost", of: "lost", on: "on-roomy" },
  { short: "F", name: "Goals for", of: "for", on: "on-wide" },
  { short: "A", name: "Goals against", of: "against", on: "on-wide" },
  { short: "GD", name: "Goal difference", of: "difference" },
  { short: "Pts", name: "Points", of: "points" },
];

interface LeagueRowsProps {
  rows: LeagueRow[];
  /** The rows that stand out: the member's club, or both sides of a match. */
  isMarked: (row: LeagueRow) => boolean;
}

/** The rows of a league table. */
export function LeagueRows({ rows, isMarked }: LeagueRowsProps) {
  return (
    <table className="league-table">
      <thead>
        <tr>
          <th scope="col">
            <abbr title="Position">#</abbr>
          </th>
          <th scope="col">Club</th>
          {COLUMNS.map(({ short, name, on }) => (
            <th key={short} scope="col" className={on}>
              <abbr title={name}>{short}</abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.team.teamId} className={isMarked(row) ? "is-me" : undefined}>
            <td>{row.position}</td>
            <th scope="row">
              <span className="match-team">
                <Crest clubName={row.team.name} emblem={row.team.emblem} size={24} />
                <span>{row.team.name}</span>
              </span>
            </th>
            {COLUMNS.map(({ of, on }) => (
              <td key={of} className={on}>
                {String(row[of])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
