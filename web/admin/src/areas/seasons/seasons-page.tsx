import { formatMoment } from "@/lib/format/dates";
import type { RowOf } from "~/api/calls";
import { fetchAll, useAnswer } from "~/api/queries";
import { RanksField } from "~/areas/seasons/ranks-field";
import { labelOf } from "~/lib/words";
import { Action } from "~/parts/action";
import type { FormFieldProps } from "~/parts/form-field";
import { ResourceList } from "~/parts/resource-list";

type Season = RowOf<"GET /api/v1/admin/seasons">;

const CALL = "GET /api/v1/admin/seasons";
const FIELDS = {
  labels: {
    startsAt: "Begins",
    endsAt: "Ends",
    pointPerQuestion: "Points for a right answer",
    questionTimeLimit: "Seconds for an answer",
    questionsPerDay: "Questions a day",
  },
  controls: { ranks: (field: FormFieldProps) => <RanksField {...field} /> },
};

/** The seasons of the Battle Zone with their ladders. */
export default function SeasonsPage() {
  return (
    <ResourceList
      call={CALL}
      noun="season"
      empty="No seasons"
      beside={<NewSeason />}
      columns={[
        { title: "Season", value: (season) => season.name },
        { title: "State", as: "state", value: (season) => season.state },
        { title: "Begins", as: "moment", value: (season) => season.startsAt },
        { title: "Ends", as: "moment", value: (season) => season.endsAt },
        { title: "Questions a day", as: "number", value: (season) => season.questionsPerDay },
        {
          title: "Ranks",
          value: ({ ranks }) =>
            ranks.map((rank) => `${labelOf(rank.rank)} ${rank.thresholdPoint}`).join(", "),
          sortBy: null,
        },
      ]}
      actions={(season) => <ChangeSeason season={season} />}
    />
  );
}

/** A new season copies the rules and the ladder of the latest. */
function NewSeason() {
  const { data } = useAnswer(CALL, { inQuery: { limit: 1 } });
  const latest = data?.rows[0];
  return (
    <Action
      call="POST /api/v1/admin/seasons"
      text="New season"
      variant="primary"
      current={latest === undefined ? undefined : rulesOf(latest)}
      {...FIELDS}
    />
  );
}

function ChangeSeason({ season }: { season: Season }) {
  return (
    <Action
      call="PUT /api/v1/admin/seasons/{season_id}"
      inPath={{ season_id: season.id }}
      text="Save"
      button="Change"
      header={`Change ${season.name}`}
      note={
        season.state === "upcoming"
          ? undefined
          : `It began ${formatMoment(season.startsAt)}: its start and its ladder stand.`
      }
      current={season}
      reread={() => reread(season)}
      {...FIELDS}
    />
  );
}

/** The current state of a season; the newest list is short. */
async function reread({ id }: Season) {
  return (await fetchAll(CALL)).find((season) => season.id === id);
}

/** The values that a new season copies: everything but the dates. */
function rulesOf({ pointPerQuestion, questionTimeLimit, questionsPerDay, ranks }: Season) {
  return {
    ...{ pointPerQuestion, questionTimeLimit, questionsPerDay },
    ranks: ranks.map(({ rank, thresholdPoint }) => ({ rank, thresholdPoint })),
  };
}
