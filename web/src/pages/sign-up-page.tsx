import { useSearchParams } from "react-router-dom";
import { AuthLayout } from "@/features/auth/auth-layout";
import { InvitedSignUp } from "@/features/auth/invited-sign-up";
import { SignUpForm } from "@/features/auth/sign-up-form";

export default function SignUpPage() {
  const [search] = useSearchParams();
  const code = search.get("invite");
  return (
    <AuthLayout title="Sign Up">
      {code === null ? <SignUpForm /> : <InvitedSignUp key={code} code={code} />}
    </AuthLayout>
  );
}
