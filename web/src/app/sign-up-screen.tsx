import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { createQueryClient } from "@/app/query-client";
import SignUpPage from "@/pages/sign-up-page";

/** The one public screen that reads server state: the clubs. */
export default function SignUpScreen() {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <SignUpPage />
    </QueryClientProvider>
  );
}
