import { useClubNames } from "~/api/clubs";
import { choiceOf } from "~/parts/choice";
import type { FormFieldProps } from "~/parts/form-field";

/** A control for a field that names a club. */
export function ClubChoice(field: FormFieldProps) {
  const names = useClubNames();
  return choiceOf(names.map((name) => ({ value: name, text: name })))(field);
}

/** For forms with a field `club`; empty means all clubs. */
export const CLUB_CONTROL = {
  club: (field: FormFieldProps) => <ClubChoice {...field} none={field.none ?? "All clubs"} />,
};

/** For lists with a filter `club`. */
export const CLUB_FILTER = { club: (field: FormFieldProps) => <ClubChoice {...field} /> };
