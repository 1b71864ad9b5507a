import { Field } from "@/components/field";
import { Panel } from "@/components/panel";
import { SelectBox } from "@/components/select-box";
import { TextField } from "@/components/text-field";
import { youngestBirthday } from "@/features/profile/rules";
import type { useProfileForm } from "@/features/profile/use-profile-form";
import { dayOf } from "@/lib/format/dates";

export type Bind = ReturnType<typeof useProfileForm>["bind"];

/** The member's personal details; the e-mail is read-only. */
export function PersonalSection({ bind, email }: { bind: Bind; email: string }) {
  return (
    <Panel title="Personal Information">
      <div className="form">
        <div className="form-pair">
          <TextField label="First name" autoComplete="given-name" required {...bind("firstName")} />
          <TextField label="Last name" autoComplete="family-name" required {...bind("lastName")} />
        </div>
        <div className="form-pair">
          <GenderField {...bind("gender")} />
          <TextField
            label="Date of birth"
            type="date"
            autoComplete="bday"
            max={youngestBirthday(dayOf(Date.now()))}
            {...bind("dateOfBirth")}
          />
        </div>
        <div className="form-pair">
          <TextField
            label="Phone"
            type="tel"
            autoComplete="tel"
            required
            hint="Such as 08012345678 or +2348012345678"
            {...bind("phone")}
          />
          <TextField
            label="Email"
            type="email"
            readOnly
            value={email}
            onChange={() => undefined}
            hint="You sign in with this email. It cannot be changed."
          />
        </div>
      </div>
    </Panel>
  );
}

function GenderField({ name, value, error, onChange }: ReturnType<Bind>) {
  return (
    <Field label="Gender" error={error}>
      {(control) => (
        <SelectBox
          control={control}
          name={name}
          value={value}
          autoComplete="sex"
          onChange={onChange}
        >
          <option value="">Not provided</option>
          <option value="male">Male</option>
          <option value="female">Female</option>
        </SelectBox>
      )}
    </Field>
  );
}
