import "~/areas/clubs/clubs.css";
import { Crest } from "@/components/crest";
import type { RowOf } from "~/api/calls";
import { fetchAll } from "~/api/queries";
import { ColoursField } from "~/areas/clubs/colours-field";
import { Action } from "~/parts/action";
import { ResourceList } from "~/parts/resource-list";

type Club = RowOf<"GET /api/v1/admin/clubs">;

const FIELDS = {
  labels: { ccName: "Competition" },
  hints: { ccName: "Groups the club in the list of clubs; leave empty for Others" },
  controls: { colours: ColoursField },
};
const USUAL_COLOURS = ["#0B4EA2", "#FFFFFF"];
const CREST_SIDE = 40;

/** All clubs, open for sign-up or not. */
export default function ClubsPage() {
  return (
    <ResourceList
      call="GET /api/v1/admin/clubs"
      noun="club"
      sortedBy={{ title: "Club" }}
      empty="No clubs"
      beside={
        <Action
          {...FIELDS}
          call="POST /api/v1/admin/clubs"
          text="New club"
          variant="primary"
          current={{ colours: USUAL_COLOURS }}
        />
      }
      columns={[
        { title: "Club", value: ({ name }) => name, show: (club) => <NamedCrest club={club} /> },
        { title: "Competition", value: ({ ccName }) => ccName },
        {
          title: "Colours",
          value: ({ colours }) => colours.join(" "),
          sortBy: null,
          show: ({ colours }) => <Swatches colours={colours} />,
        },
        { title: "State", as: "state", value: ({ hidden }) => (hidden ? "hidden" : "active") },
      ]}
      actions={(club) => <ClubActions club={club} />}
    />
  );
}

function NamedCrest({ club: { name, emblem, colours, version } }: { club: Club }) {
  // The crest's address is stable; a version query forces a reload after a change.
  return (
    <span className="named-crest">
      <Crest
        clubName={name}
        emblem={`${emblem}?version=${version}`}
        colours={colours}
        size={CREST_SIDE}
      />
      {name}
    </span>
  );
}

/** Both colours side by side, named by their values. */
function Swatches({ colours }: { colours: string[] }) {
  const text = colours.join(" and ");
  return (
    <svg className="swatches" viewBox="0 0 2 1" role="img" aria-label={text}>
      <title>{text}</title>
      {colours.map((colour, index) => (
        <rect key={colour} x={index} width="1" height="1" fill={colour} />
      ))}
    </svg>
  );
}

function ClubActions({ club }: { club: Club }) {
  return (
    <>
      <Action
        {...FIELDS}
        call="PATCH /api/v1/admin/clubs/{club_id}"
        inPath={{ club_id: club.id }}
        text="Save"
        button="Change"
        header={`Change ${club.name}`}
        note="Hidden clubs don't appear at sign-up; their members stay."
        current={club}
        reread={() => rereadClub(club.id)}
      />
      <Action
        call="PUT /api/v1/admin/clubs/{club_id}/crest"
        inPath={{ club_id: club.id }}
        text="Save"
        button="Crest"
        header={`Crest of ${club.name}`}
        labels={{ file: "Picture" }}
        hints={{ file: "JPEG, PNG or WebP, at most 512 kB" }}
      />
    </>
  );
}

async function rereadClub(id: string): Promise<Club | undefined> {
  const clubs = await fetchAll("GET /api/v1/admin/clubs");
  return clubs.find((club) => club.id === id);
}
