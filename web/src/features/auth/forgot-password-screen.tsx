import { Link, useLocation, useNavigate } from "react-router-dom";
import { Button } from "@/components/button";
import { TextField } from "@/components/text-field";
import { forgotPassword } from "@/features/auth/api";
import { AuthLayout } from "@/features/auth/auth-layout";
import { emailIn, withEmail } from "@/features/auth/known-email";
import { isEmail, MAX_EMAIL_LENGTH } from "@/features/auth/sign-in-rules";
import { paths } from "@/lib/format/paths";
import { showFailure } from "@/lib/ui/show-failure";
import { useForm } from "@/lib/ui/use-form";
import { useSubmission } from "@/lib/ui/use-submission";

export default function ForgotPasswordScreen() {
  return (
    <AuthLayout title="Forgot password?">
      <ForgotPasswordForm />
    </AuthLayout>
  );
}

/** Has a code mailed, then opens the page that sets the new password. */
function ForgotPasswordForm() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const form = useForm({ email: emailIn(state) }, validate);
  const submission = useSubmission({
    send: forgotPassword,
    onSuccess: (userId) => navigate(`${paths.resetPassword}?id=${encodeURIComponent(userId)}`),
    onError: showFailure,
  });
  return (
    <form
      className="form"
      noValidate
      onSubmit={form.submit(({ email }) => submission.submit(email.trim()))}
    >
      <p className="muted">Enter your email and we'll send you a code to set a new password.</p>
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        maxLength={MAX_EMAIL_LENGTH}
        value={form.values.email}
        error={form.errors.email}
        onChange={(value) => form.set("email", value)}
      />
      <Button type="submit" wide busy={submission.isPending} busyText="Loading...">
        Send the code
      </Button>
      <p className="auth-switch">
        <Link className="text-link" to={paths.signIn} state={withEmail(form.values.email)}>
          Back to Login
        </Link>
      </p>
    </form>
  );
}

function validate({ email }: { email: string }): { email?: string } {
  if (email.trim() === "") {
    return { email: "Email is required" };
  }
  return isEmail(email) ? {} : { email: "Invalid email input" };
}
