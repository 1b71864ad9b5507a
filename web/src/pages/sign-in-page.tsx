import { AuthLayout } from "@/features/auth/auth-layout";
import { SignInForm } from "@/features/auth/sign-in-form";

export default function SignInPage() {
  return (
    <AuthLayout title="Login">
      <SignInForm />
    </AuthLayout>
  );
}
