import { useLocation, useNavigate } from "react-router-dom";
import { Wordmark } from "@/components/brand-mark";
import { Button } from "@/components/button";
import { PasswordField } from "@/components/password-field";
import { TextField } from "@/components/text-field";
import { isRecord } from "@/lib/device/storage";
import { showFailure } from "@/lib/ui/show-failure";
import { type FieldErrors, useForm } from "@/lib/ui/use-form";
import { usePageTitle } from "@/lib/ui/use-page-title";
import { useSubmission } from "@/lib/ui/use-submission";
import { perform } from "~/api/client";
import type { Operator } from "~/api/operator";
import { operatorSession } from "~/lib/operator-session";

const CODE_DIGITS = 6;

interface Values {
  email: string;
  password: string;
  code: string;
}

/**
 * Sign-in with email, password and authenticator code.
 *
 * Without `onDone` it is a full screen that redirects to the requested address.
 */
export function SignIn({ onDone }: { onDone?: (operator: Operator) => void }) {
  usePageTitle("Back office");
  const form = useForm<Values>({ email: "", password: "", code: "" }, validate);
  const { submit, isPending } = useSignIn(() => form.set("code", ""), onDone);
  return (
    <main id="content" className="sign-in">
      <div className="sign-in-card card">
        <Wordmark />
        <h1>Back office</h1>
        <form className="form" noValidate onSubmit={form.submit(submit)}>
          <TextField
            label="Email"
            type="email"
            name="username"
            autoComplete="username"
            value={form.values.email}
            error={form.errors.email}
            onChange={(value) => form.set("email", value)}
          />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            value={form.values.password}
            error={form.errors.password}
            onChange={(value) => form.set("password", value)}
          />
          <CodeField
            value={form.values.code}
            error={form.errors.code}
            onChange={(value) => form.set("code", value)}
          />
          <Button type="submit" wide busy={isPending}>
            Sign in
          </Button>
        </form>
      </div>
    </main>
  );
}

interface CodeFieldProps {
  value: string;
  error: string | undefined;
  onChange: (code: string) => void;
}

/** The six digits of the operator's authenticator. */
export function CodeField({ value, error, onChange }: CodeFieldProps) {
  return (
    <TextField
      label="Code"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={CODE_DIGITS}
      hint="The six digits of your authenticator app"
      value={value}
      error={error}
      onChange={(typed) => onChange(typed.replace(/\D/g, ""))}
    />
  );
}

/** Validate a code before it is sent. */
export function codeError(code: string): string | undefined {
  return code.length === CODE_DIGITS ? undefined : "Enter the six digits";
}

function validate({ email, password, code }: Values): FieldErrors<Values> {
  const wrongCode = codeError(code);
  return {
    ...(email.trim() === "" ? { email: "Enter your email" } : {}),
    ...(password === "" ? { password: "Enter your password" } : {}),
    ...(wrongCode === undefined ? {} : { code: wrongCode }),
  };
}

function useSignIn(forgetCode: () => void, onDone: ((operator: Operator) => void) | undefined) {
  const navigate = useNavigate();
  const { state } = useLocation();
  return useSubmission({
    send: ({ email, ...rest }: Values) =>
      perform("POST /api/v1/admin/sign-in", { body: { email: email.trim(), ...rest } }),
    onSuccess: ({ data }) => {
      if ("token" in data) {
        onDone?.(data.me); // render nothing until the session is known
        operatorSession.write({ token: data.token });
        if (onDone === undefined) {
          void navigate(cameFrom(state), { replace: true });
        }
      }
    },
    onError: (error) => {
      forgetCode(); // each code works once
      showFailure(error);
    },
  });
}

function cameFrom(state: unknown): string {
  const from = isRecord(state) && isRecord(state["from"]) ? state["from"] : {};
  const { pathname, search } = from;
  return typeof pathname === "string" && typeof search === "string" ? pathname + search : "/";
}
