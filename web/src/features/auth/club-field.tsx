import { useQuery } from "@tanstack/react-query";
import { Button } from "@/components/button";
import { Crest } from "@/components/crest";
import { Field } from "@/components/field";
import { SelectBox } from "@/components/select-box";
import { clubsQuery } from "@/features/auth/api";
import { groupClubs } from "@/features/auth/rules";

interface ClubFieldProps {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (clubId: string) => void;
}

/** The clubs by group in a native select, with the chosen club's crest beside it. */
export function ClubField({ name, value, error, onChange }: ClubFieldProps) {
  const clubs = useQuery(clubsQuery);
  const chosen = clubs.data?.find((club) => club.id === value);
  return (
    <div className={chosen ? "club-field has-crest" : "club-field"}>
      <Field label="Club" error={error}>
        {(control) => (
          <SelectBox control={control} name={name} value={value} onChange={onChange}>
            <option value="">{clubs.isPending ? "Fetching clubs..." : "Choose your club"}</option>
            {groupClubs(clubs.data ?? []).map((group) => (
              <optgroup key={group.name} label={group.name}>
                {group.clubs.map((club) => (
                  <option key={club.id} value={club.id}>
                    {club.name}
                  </option>
                ))}
              </optgroup>
            ))}
          </SelectBox>
        )}
      </Field>
      {chosen ? (
        <Crest
          key={chosen.id}
          clubName={chosen.name}
          emblem={chosen.emblem}
          colours={chosen.colours}
          size={48}
        />
      ) : null}
      {clubs.isError ? (
        <Button variant="quiet" busy={clubs.isFetching} onClick={() => void clubs.refetch()}>
          Fetch the clubs again
        </Button>
      ) : null}
    </div>
  );
}
