import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { Route, Routes } from "react-router-dom";
import { AppRouter } from "@/app/app-router";
import { createQueryClient } from "@/app/query-client";
import { ScreenBoundary } from "@/app/screen-boundary";
import { ScreenToasts } from "@/app/screen-toasts";
import { FreshCodeDialog } from "~/app/fresh-code-dialog";
import { NotFound } from "~/app/not-found";
import { OperatorGate } from "~/app/operator-gate";
import { screens } from "~/app/screens";
import { Shell } from "~/app/shell";
import { SignIn } from "~/app/sign-in";

/** The base path of the back office. */
export const BASE = "/admin";

/** The back office: sign-in for everyone, all else for operators only. */
export function App() {
  return (
    <ScreenBoundary>
      <AppRouter basename={BASE}>
        <BackOffice />
      </AppRouter>
    </ScreenBoundary>
  );
}

/** The screens; works inside any router. */
export function BackOffice() {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <Routes>
        <Route path="/sign-in" element={<SignIn />} />
        <Route
          element={
            <OperatorGate>
              <Shell />
            </OperatorGate>
          }
        >
          {screens.map(({ path, page: Page }) => (
            <Route key={path} path={path} element={<Page />} />
          ))}
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
      <FreshCodeDialog />
      <ScreenToasts />
    </QueryClientProvider>
  );
}
