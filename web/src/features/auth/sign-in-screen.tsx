import { useState } from "react";
import { Link, useLocation, useNavigate } from "react-router-dom";
import { PasswordField } from "@/components/password-field";
import { TextField } from "@/components/text-field";
import { AuthLayout } from "@/features/auth/auth-layout";
import { CheckedSubmit } from "@/features/auth/checked-submit";
import { codeNews } from "@/features/auth/code-news";
import { useJoiningColours } from "@/features/auth/joining-club";
import { emailIn, withEmail } from "@/features/auth/known-email";
import {
  isOutage,
  secondsToNextSignIn,
  signIn,
  signUpToActivate,
} from "@/features/auth/sign-in-api";
import {
  MAX_EMAIL_LENGTH,
  MAX_PASSWORD_INPUT_LENGTH,
  type SignInValues,
  validateSignIn,
} from "@/features/auth/sign-in-rules";
import { withChallenge } from "@/features/auth/with-challenge";
import { isRecord } from "@/lib/device/storage";
import { formatCountdown } from "@/lib/format/dates";
import { paths } from "@/lib/format/paths";
import { messageOf } from "@/lib/live/failures";
import { showToast } from "@/lib/ui/toasts";
import { useCountdown } from "@/lib/ui/use-countdown";
import { useForm } from "@/lib/ui/use-form";
import { useSubmission } from "@/lib/ui/use-submission";

export default function SignInScreen() {
  useJoiningColours();
  return (
    <AuthLayout title="Login">
      <SignInForm />
    </AuthLayout>
  );
}

/** Email and password; on success, returns to the screen that required the sign-in. */
function SignInForm() {
  const { state } = useLocation();
  const known: SignInValues = { username: emailIn(state), password: "" };
  const form = useForm(known, validateSignIn);
  const [waitSeconds, startWaiting] = useCountdown(0);
  const [isChecking, setChecking] = useState(false);
  const submission = useSignIn(startWaiting, setChecking);
  return (
    <form className="form" noValidate onSubmit={form.submit((values) => submission.submit(values))}>
      <TextField
        label="Email"
        type="email"
        name="username"
        autoComplete="username"
        inputMode="email"
        maxLength={MAX_EMAIL_LENGTH}
        value={form.values.username}
        error={form.errors.username}
        onChange={(value) => form.set("username", value)}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        maxLength={MAX_PASSWORD_INPUT_LENGTH}
        value={form.values.password}
        error={form.errors.password}
        onChange={(value) => form.set("password", value)}
      />
      <div className="auth-links">
        <Link
          className="text-link"
          to={paths.forgotPassword}
          state={withEmail(form.values.username)}
        >
          Forgot password?
        </Link>
      </div>
      {waitSeconds > 0 ? (
        <p className="notice notice-error" role="timer">
          {isOutage(submission.error)
            ? "We could not sign you in just now. You can try again in "
            : "Too many tries. You can sign in again in "}
          {formatCountdown(waitSeconds)}.
        </p>
      ) : null}
      <CheckedSubmit
        label="Login"
        busy={submission.isPending}
        isChecking={isChecking}
        disabled={waitSeconds > 0}
      >
        <p className="auth-switch">
          New here?{" "}
          <Link className="text-link" to={paths.signUp}>
            Sign Up
          </Link>
        </p>
      </CheckedSubmit>
    </form>
  );
}

function useSignIn(
  startWaiting: (seconds: number) => void,
  onCheck: (isChecking: boolean) => void,
) {
  const navigate = useNavigate();
  const location = useLocation();
  return useSubmission({
    send: ({ username, password }: SignInValues) =>
      withChallenge((solution) => signIn(username.trim(), password, solution), onCheck),
    onSuccess: () => {
      void navigate(returnPath(location.state), { replace: true });
    },
    onError: (error, { username }) => {
      startWaiting(secondsToNextSignIn(error));
      const waiting = signUpToActivate(error);
      showToast(waiting === null ? "error" : "info", messageOf(error));
      if (waiting !== null) {
        const state = { ...codeNews(waiting.retryAfter, "unknown"), ...withEmail(username) };
        void navigate(paths.activate(waiting.id), { state });
      }
    },
  });
}

function returnPath(state: unknown): string {
  const from = isRecord(state) ? state["from"] : undefined;
  return typeof from === "string" && /^\/(?!\/)/.test(from) ? from : paths.home;
}
