import { AuthLayout } from "@/features/auth/auth-layout";
import { SignUpForm } from "@/features/auth/sign-up-form";

export default function SignUpPage() {
  return (
    <AuthLayout title="Sign Up">
      <SignUpForm />
    </AuthLayout>
  );
}
