import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { paths } from "@/lib/paths";
import { useSession } from "@/lib/session";

/** Lets members in; everybody else signs in first and then comes back to the same address. */
export function RouteGuard({ children }: { children: ReactNode }) {
  const member = useSession();
  const { pathname, search } = useLocation();
  if (member === null) {
    return <Navigate to={paths.signIn} replace state={{ from: pathname + search }} />;
  }
  return children;
}
