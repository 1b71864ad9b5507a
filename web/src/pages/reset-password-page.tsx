import { Navigate, useSearchParams } from "react-router-dom";
import { AuthLayout } from "@/features/auth/auth-layout";
import { ResetPasswordForm } from "@/features/auth/reset-password-form";
import { paths } from "@/lib/paths";

export default function ResetPasswordPage() {
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
