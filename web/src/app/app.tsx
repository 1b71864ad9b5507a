import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { BrowserRouter } from "react-router-dom";
import { createQueryClient } from "@/app/query-client";
import { ScreenBoundary } from "@/app/screen-boundary";
import { ScreenToasts } from "@/app/screen-toasts";
import { Screens } from "@/app/screens";

/** The whole app: server state, the address bar, and whatever screen it names. */
export function App() {
  // For visitors; a signed-in member has a scope of their own.
  const [queryClient] = useState(createQueryClient);
  return (
    <ScreenBoundary>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter>
          <Screens />
          <ScreenToasts />
        </BrowserRouter>
      </QueryClientProvider>
    </ScreenBoundary>
  );
}
