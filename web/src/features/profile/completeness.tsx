import { Pips } from "@/components/pips";
import { type ProfileValues, profileItems } from "@/features/profile/rules";

/** The completeness of the profile, and the missing items. */
export function Completeness({
  values,
  hasPicture,
}: {
  values: ProfileValues;
  hasPicture: boolean;
}) {
  const all = profileItems(values, hasPicture);
  const open = all.filter(({ isProvided }) => !isProvided).map(({ name }) => name);
  return (
    <div className="profile-meter">
      <p>
        <strong className="numeral">{all.length - open.length}</strong> of {all.length} completed
      </p>
      <Pips value={all.length - open.length} total={all.length} />
      <p className="small muted">
        {open.length === 0 ? "Your profile is complete." : `Still missing: ${open.join(", ")}.`}
      </p>
    </div>
  );
}
