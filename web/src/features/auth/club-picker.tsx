import "@/features/auth/club-picker.css";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import type { Club } from "@/api/wire";
import { Crest } from "@/components/crest";
import { Skeleton } from "@/components/skeleton";
import { TextField } from "@/components/text-field";
import { clubsQuery } from "@/features/auth/api";
import { groupClubs, matchingClubs } from "@/features/auth/rules";
import { counted } from "@/lib/format/counts";

const LOADING_TILES = Array.from({ length: 6 }, (_, index) => String(index));

interface ClubPickerProps {
  value: string;
  onChange: (clubId: string) => void;
}

/** The clubs' crests by group; typing filters them. */
export function ClubPicker({ value, onChange }: ClubPickerProps) {
  const { data: clubs, isError } = useQuery(clubsQuery);
  const [typed, setTyped] = useState("");
  if (isError && clubs === undefined) {
    return null; // the list below shows the error and retries
  }
  const found = matchingClubs(clubs ?? [], typed);
  const takeFirst = (event: KeyboardEvent) => {
    const first = groupClubs(found)[0]?.clubs[0];
    if (event.key === "Enter") {
      event.preventDefault(); // the form is not ready to be sent
      if (typed.trim() !== "" && first !== undefined) {
        onChange(first.id);
      }
    }
  };
  return (
    <fieldset className="club-picker">
      <legend>Choose your club</legend>
      <TextField
        label="Search by name"
        type="search"
        autoComplete="off"
        value={typed}
        onChange={setTyped}
        onKeyDown={takeFirst}
      />
      <p className="visually-hidden" role="status">
        {typed.trim() === "" ? "" : `${counted(found.length, "club")} found`}
      </p>
      {clubs === undefined ? (
        <TilesWaiting />
      ) : (
        <div className="club-tiles">
          {groupClubs(found).map((group) => (
            <div key={group.name}>
              <h2>{group.name}</h2>
              <ul>
                {group.clubs.map((club) => (
                  <li key={club.id}>
                    <ClubTile
                      club={club}
                      chosen={club.id === value}
                      onChoose={() => onChange(club.id)}
                    />
                  </li>
                ))}
              </ul>
            </div>
          ))}
          {found.length === 0 ? <p className="muted">No club has this name.</p> : null}
        </div>
      )}
    </fieldset>
  );
}

interface ClubTileProps {
  club: Club;
  chosen: boolean;
  onChoose: () => void;
}

function ClubTile({ club: { name, emblem, colours }, chosen, onChoose }: ClubTileProps) {
  return (
    <label className="club-tile">
      <input type="radio" name="crest" checked={chosen} onChange={onChoose} />
      <Crest clubName={name} emblem={emblem} colours={colours} size={48} lazy />
      <span>{name}</span>
    </label>
  );
}

function TilesWaiting() {
  return (
    <div className="club-tiles" role="status" aria-label="Fetching clubs">
      <ul>
        {LOADING_TILES.map((tile) => (
          <li key={tile} className="club-tile">
            <Skeleton shape="block" />
          </li>
        ))}
      </ul>
    </div>
  );
}
