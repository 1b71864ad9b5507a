import { useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { SIGN_UP_MAX_LENGTHS } from "@/api/max-lengths.gen";
import { Button } from "@/components/button";
import { CheckboxField } from "@/components/checkbox-field";
import { PasswordField } from "@/components/password-field";
import { TextField } from "@/components/text-field";
import { type SignUpValues, signUp } from "@/features/auth/api";
import { CHECKING, CheckingNotice } from "@/features/auth/checking-notice";
import { ClubField } from "@/features/auth/club-field";
import { ClubPicker } from "@/features/auth/club-picker";
import { codeNews } from "@/features/auth/code-news";
import { MAX_PHONE_INPUT_LENGTH, validateSignUp } from "@/features/auth/rules";
import { MAX_EMAIL_LENGTH, MAX_PASSWORD_INPUT_LENGTH } from "@/features/auth/sign-in-rules";
import { withChallenge } from "@/features/auth/with-challenge";
import { paths } from "@/lib/format/paths";
import { termsPage } from "@/lib/format/public-pages";
import { isOffline, Refusal } from "@/lib/live/failures";
import { showFailure } from "@/lib/ui/show-failure";
import { useForm } from "@/lib/ui/use-form";
import { useSubmission } from "@/lib/ui/use-submission";

const EMPTY: SignUpValues = {
  firstName: "",
  lastName: "",
  phone: "",
  email: "",
  club: "",
  password: "",
  confirmPassword: "",
  tnc: false,
};

type TextName = Exclude<keyof SignUpValues, "tnc">;

interface SignUpFormProps {
  /** The code of an invite. */
  invite?: string | null;
  /** The inviter's club as the default; it can be changed. */
  invitedTo?: string;
}

/** The club first, then an account's fields; errors show under each, and input is kept. */
export function SignUpForm({ invite = null, invitedTo = "" }: SignUpFormProps) {
  const form = useForm<SignUpValues>({ ...EMPTY, club: invitedTo }, validateSignUp);
  const [isChecking, setChecking] = useState(false);
  const submission = useSignUp(invite, form.refuse, setChecking);
  const bind = (name: TextName) => ({
    name,
    value: form.values[name],
    error: form.errors[name],
    onChange: (value: string) => form.set(name, value),
  });
  return (
    <form className="form" noValidate onSubmit={form.submit((values) => submission.submit(values))}>
      <ClubPicker value={form.values.club} onChange={(club) => form.set("club", club)} />
      <ClubField {...bind("club")} />
      <div className="form-pair">
        <TextField
          label="First name"
          autoComplete="given-name"
          maxLength={SIGN_UP_MAX_LENGTHS.firstName}
          {...bind("firstName")}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          maxLength={SIGN_UP_MAX_LENGTHS.lastName}
          {...bind("lastName")}
        />
      </div>
      <TextField
        label="Phone"
        type="tel"
        autoComplete="tel"
        maxLength={MAX_PHONE_INPUT_LENGTH}
        hint="Such as 08012345678 or +2348012345678"
        {...bind("phone")}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        maxLength={MAX_EMAIL_LENGTH}
        {...bind("email")}
      />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        maxLength={MAX_PASSWORD_INPUT_LENGTH}
        hint="At least 8 characters"
        {...bind("password")}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        maxLength={MAX_PASSWORD_INPUT_LENGTH}
        {...bind("confirmPassword")}
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
      <CheckingNotice isChecking={isChecking} />
      <Button
        type="submit"
        wide
        busy={submission.isPending}
        busyText={isChecking ? CHECKING : "Loading..."}
      >
        Sign Up
      </Button>
      <p className="auth-switch">
        Have an account?{" "}
        <Link className="text-link" to={paths.signIn}>
          Login
        </Link>
      </p>
    </form>
  );
}

/** A refusal shows the server's sentence; a lost response only re-enables the button (spec 8). */
function useSignUp(
  invite: string | null,
  refuse: (errors: Record<string, string>) => void,
  onCheck: (isChecking: boolean) => void,
) {
  const navigate = useNavigate();
  return useSubmission({
    send: (values: SignUpValues) =>
      withChallenge((solution) => signUp(values, invite, solution), onCheck),
    onSuccess: ({ id, retryAfter }) =>
      navigate(paths.activate(id), { state: codeNews(retryAfter, "held") }),
    onError: (error) => {
      if (error instanceof Refusal || isOffline()) {
        showFailure(error);
      }
      if (error instanceof Refusal) {
        refuse(error.fields);
      }
    },
  });
}
