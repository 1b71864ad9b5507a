import { useClubNames } from "~/api/clubs";
import { choiceOf } from "~/parts/choice";
import type { FormFieldProps } from "~/parts/form-field";

/** The control of a field that names a club; without one it is about all clubs. */
export function ClubChoice(field: FormFieldProps) {
  const names = useClubNames();
  return choiceOf(names.map((name) => ({ value: name, text: name })))({
    ...field,
    hint: field.hint ?? "None: for all clubs",
  });
}

/** For forms with a field `club`. */
export const CLUB_CONTROL = { club: (field: FormFieldProps) => <ClubChoice {...field} /> };
