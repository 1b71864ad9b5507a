import "@/features/auth/club-picker.css";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import type { Club } from "@/api/wire";
import { Button } from "@/components/button";
import { Crest } from "@/components/crest";
import { Skeleton } from "@/components/skeleton";
import { TextField } from "@/components/text-field";
import { clubsQuery } from "@/features/auth/api";
import { groupClubs, matchingClubs } from "@/features/auth/rules";
import { counted } from "@/lib/format/counts";

/** A longer list scrolls in itself, so that what is below it stays near. */
const MAX_WHOLE_LIST = 24;
const LOADING_TILES = Array.from({ length: 9 }, (_, index) => String(index));

interface ClubPickerProps {
  value: string;
  error: string | undefined;
  onChange: (clubId: string) => void;
}

/** The clubs' crests by group; typing filters them. */
export function ClubPicker({ value, error, onChange }: ClubPickerProps) {
  const { data: clubs } = useQuery(clubsQuery);
  const [typed, setTyped] = useState("");
  const errorId = useId();
  const found = matchingClubs(clubs ?? [], typed);
  const takeFirst = (event: KeyboardEvent) => {
    const first = groupClubs(found)[0]?.clubs[0];
    if (event.key === "Enter" && typed.trim() !== "") {
      event.preventDefault(); // the step is not complete yet
      if (first !== undefined) {
        onChange(first.id);
      }
    }
  };
  return (
    <div className="club-picker">
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
      <div
        className="club-tiles"
        role="radiogroup"
        aria-label="Club"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        aria-required="true"
        data-many={(clubs?.length ?? 0) > MAX_WHOLE_LIST}
        tabIndex={-1}
      >
        {clubs === undefined ? (
          <TilesWaiting />
        ) : (
          <Tiles clubs={found} value={value} onChange={onChange} />
        )}
      </div>
      {error ? (
        <p id={errorId} className="field-error">
          {error}
        </p>
      ) : null}
    </div>
  );
}

interface TilesProps {
  clubs: Club[];
  value: string;
  onChange: (clubId: string) => void;
}

function Tiles({ clubs, value, onChange }: TilesProps) {
  return (
    <>
      {groupClubs(clubs).map((group) => (
        <div key={group.name}>
          <h3>{group.name}</h3>
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
      {clubs.length === 0 ? <p className="muted">No club has this name.</p> : null}
    </>
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

/** Placeholders of the clubs, or why there are none yet. */
function TilesWaiting() {
  const clubs = useQuery(clubsQuery);
  if (clubs.isError) {
    return (
      <Button variant="quiet" busy={clubs.isFetching} onClick={() => void clubs.refetch()}>
        Fetch the clubs again
      </Button>
    );
  }
  return (
    <div role="status" aria-label="Fetching clubs">
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
