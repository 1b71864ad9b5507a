import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { BrowserRouter } from "react-router-dom";
import { ErrorBoundary } from "@/app/error-boundary";
import { createQueryClient } from "@/app/query-client";
import { ScreenToasts } from "@/app/screen-toasts";
import { Screens } from "@/app/screens";

/** The whole app: server state, the address bar, and whatever screen it names. */
export function App() {
  const [queryClient] = useState(createQueryClient);
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter>
          <Screens />
          <ScreenToasts />
        </BrowserRouter>
      </QueryClientProvider>
    </ErrorBoundary>
  );
}
