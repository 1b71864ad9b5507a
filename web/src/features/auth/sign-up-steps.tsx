import { useQuery } from "@tanstack/react-query";
import { SIGN_UP_MAX_LENGTHS } from "@/api/max-lengths.gen";
import { CheckboxField } from "@/components/checkbox-field";
import { PasswordField } from "@/components/password-field";
import { TextField } from "@/components/text-field";
import { channelsQuery, type SignUpValues } from "@/features/auth/api";
import { ClubPicker } from "@/features/auth/club-picker";
import { MAX_PHONE_INPUT_LENGTH } from "@/features/auth/rules";
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_INPUT_LENGTH } from "@/features/auth/sign-in-rules";
import { termsPage } from "@/lib/format/public-pages";
import type { useForm } from "@/lib/ui/use-form";

type SignUpFields = ReturnType<typeof useForm<SignUpValues>>;

interface StepProps {
  form: SignUpFields;
}

type TextName = Exclude<keyof SignUpValues, "tnc" | "channel">;

function bind({ values, errors, set }: SignUpFields, name: TextName) {
  return {
    name,
    value: values[name],
    error: errors[name],
    onChange: (value: string) => set(name, value),
  };
}

/** The club that the member supports. */
export function ClubStep({ form }: StepProps) {
  return (
    <ClubPicker
      value={form.values.club}
      error={form.errors.club}
      onChange={(club) => form.set("club", club)}
    />
  );
}

/** Who signs up, and where the code is sent. */
export function DetailsStep({ form }: StepProps) {
  return (
    <>
      <div className="form-pair">
        <TextField
          label="First name"
          autoComplete="given-name"
          maxLength={SIGN_UP_MAX_LENGTHS.firstName}
          {...bind(form, "firstName")}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          maxLength={SIGN_UP_MAX_LENGTHS.lastName}
          {...bind(form, "lastName")}
        />
      </div>
      <TextField
        label="Phone"
        type="tel"
        autoComplete="tel"
        maxLength={MAX_PHONE_INPUT_LENGTH}
        hint="Such as 08012345678 or +2348012345678"
        {...bind(form, "phone")}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        maxLength={MAX_EMAIL_LENGTH}
        {...bind(form, "email")}
      />
      <ChannelChoice form={form} />
    </>
  );
}

/** Whether the code comes by SMS, if it can. */
function ChannelChoice({ form }: StepProps) {
  const { data: channels } = useQuery(channelsQuery);
  const { channel } = form.values;
  if (!channels?.includes("sms") && channel === "email") {
    return null;
  }
  return (
    <CheckboxField
      checked={channel === "sms"}
      error={form.errors.channel}
      onChange={(bySms) => form.set("channel", bySms ? "sms" : "email")}
    >
      Send my code by SMS
    </CheckboxField>
  );
}

/** The password and the terms. */
export function PasswordStep({ form }: StepProps) {
  return (
    <>
      {/* Password managers store the password under this name. */}
      <input
        className="visually-hidden"
        type="email"
        autoComplete="username"
        value={form.values.email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        maxLength={MAX_PASSWORD_INPUT_LENGTH}
        hint="At least 8 characters"
        {...bind(form, "password")}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        maxLength={MAX_PASSWORD_INPUT_LENGTH}
        {...bind(form, "confirmPassword")}
      />
      <CheckboxField
        checked={form.values.tnc}
        error={form.errors.tnc}
        onChange={(checked) => form.set("tnc", checked)}
      >
        I accept the{" "}
        <a href={termsPage} target="_blank" rel="noreferrer">
          terms and conditions
        </a>
      </CheckboxField>
    </>
  );
}
