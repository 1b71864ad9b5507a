import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { createQueryClient } from "@/app/query-client";
import { AuthLayout } from "@/features/auth/auth-layout";
import { InvitedSignUp } from "@/features/auth/invited-sign-up";
import { SignUpForm } from "@/features/auth/sign-up-form";

/** The one public screen that reads server state: the clubs. */
export default function SignUpScreen() {
  const [queryClient] = useState(createQueryClient);
  const [search] = useSearchParams();
  const code = search.get("invite");
  const club = search.get("club") ?? "";
  return (
    <QueryClientProvider client={queryClient}>
      <AuthLayout title="Sign Up">
        {code === null ? (
          <SignUpForm key={club} club={club} />
        ) : (
          <InvitedSignUp key={code} code={code} />
        )}
      </AuthLayout>
    </QueryClientProvider>
  );
}
