import { type ReactNode, useEffect, useRef } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { paths } from "@/lib/paths";
import { claimTab, useSession } from "@/lib/session";

/**
 * Lets members in; everybody else signs in first.
 *
 * A visitor comes back to the address they asked for. Where a member has left, here or in another
 * tab, the next one begins on the dashboard, with an empty history state.
 */
export function RouteGuard({ children }: { children: ReactNode }) {
  const id = useSession()?.id ?? null;
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const last = useRef(id);
  const somebodyLeft = last.current !== null && last.current !== id;

  useEffect(() => {
    if (last.current === null || last.current === id) {
      return;
    }
    last.current = id;
    claimTab();
    if (id !== null) {
      void navigate(paths.home, { replace: true, state: null });
    }
  }, [id, navigate]);

  if (id === null) {
    const state = somebodyLeft ? null : { from: pathname + search };
    return <Navigate to={paths.signIn} replace state={state} />;
  }
  return children;
}
