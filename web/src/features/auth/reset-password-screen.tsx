import { Navigate, useNavigate, useSearchParams } from "react-router-dom";
import { Button } from "@/components/button";
import { Field } from "@/components/field";
import { PasswordField } from "@/components/password-field";
import { resetPassword } from "@/features/auth/api";
import { AuthLayout } from "@/features/auth/auth-layout";
import { CodeInput } from "@/features/auth/code-input";
import { type ResetValues, validateReset } from "@/features/auth/rules";
import { MAX_PASSWORD_INPUT_LENGTH } from "@/features/auth/sign-in-rules";
import { paths } from "@/lib/format/paths";
import { Refusal } from "@/lib/live/failures";
import { showFailure } from "@/lib/ui/show-failure";
import { showToast } from "@/lib/ui/toasts";
import { useForm } from "@/lib/ui/use-form";
import { useSubmission } from "@/lib/ui/use-submission";

export default function ResetPasswordScreen() {
  const [search] = useSearchParams();
  const userId = search.get("id");
  if (!userId) {
    return <Navigate to={paths.forgotPassword} replace />;
  }
  return (
    <AuthLayout title="New password">
      <ResetPasswordForm userId={userId} />
    </AuthLayout>
  );
}

/** The mailed code and the new password. */
function ResetPasswordForm({ userId }: { userId: string }) {
  const form = useForm<ResetValues>({ code: "", password: "", confirmPassword: "" }, validateReset);
  const submission = useReset(userId, form.refuse);
  return (
    <form className="form" noValidate onSubmit={form.submit((values) => submission.submit(values))}>
      <p className="muted">
        If this email has an account, a code is on its way. Enter it here with your new password.
      </p>
      <Field label="Code" error={form.errors.code}>
        {(control) => (
          <CodeInput
            control={control}
            value={form.values.code}
            onChange={(value) => form.set("code", value)}
          />
        )}
      </Field>
      <PasswordField
        label="New password"
        autoComplete="new-password"
        maxLength={MAX_PASSWORD_INPUT_LENGTH}
        hint="At least 8 characters"
        value={form.values.password}
        error={form.errors.password}
        onChange={(value) => form.set("password", value)}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        maxLength={MAX_PASSWORD_INPUT_LENGTH}
        value={form.values.confirmPassword}
        error={form.errors.confirmPassword}
        onChange={(value) => form.set("confirmPassword", value)}
      />
      <Button type="submit" wide busy={submission.isPending} busyText="Loading...">
        Set the new password
      </Button>
    </form>
  );
}

function useReset(userId: string, refuse: (errors: Record<string, string>) => void) {
  const navigate = useNavigate();
  return useSubmission({
    send: (values: ResetValues) => resetPassword(userId, values.code, values.password),
    onSuccess: () => {
      showToast("success", "Your password has been changed. You can sign in now.");
      void navigate(paths.signIn, { replace: true });
    },
    onError: (error) => {
      showFailure(error);
      refuse(error instanceof Refusal ? error.fields : {});
    },
  });
}
