import { Link } from "react-router-dom";
import { withEmail } from "@/features/auth/known-email";
import { paths } from "@/lib/format/paths";
import { Refusal } from "@/lib/live/failures";

/** Whether a sign-up was refused because a member has its email or phone. */
export function isAccountExists(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code === "account_exists";
}

/** What to do with an account that exists; `email` is filled in, and empty if it is another's. */
export function AccountExists({ email }: { email: string }) {
  const state = withEmail(email);
  return (
    <div className="notice account-exists">
      <p>Is this account yours?</p>
      <p className="account-exists-links">
        <Link className="text-link" to={paths.signIn} state={state}>
          Sign In
        </Link>
        <Link className="text-link" to={paths.forgotPassword} state={state}>
          Forgot password?
        </Link>
      </p>
    </div>
  );
}
