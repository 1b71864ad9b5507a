import { type ReactNode, useEffect, useRef } from "react";
import { Navigate, useLocation, useNavigate } from "react-router-dom";
import { Splash } from "@/components/splash";
import { paths } from "@/lib/format/paths";
import { useIsCleaningUp } from "@/lib/session/pending-cleanup";
import { claimTab, hasSignedOutPages, useSession } from "@/lib/session/session";

/**
 * Lets members in; everyone else signs in first, once the previous member's data is removed.
 *
 * A visitor returns to the address they asked for. Where a member has signed out, here or in
 * another tab, the next one starts on the dashboard, with an empty history state, also after going
 * back.
 */
export function RouteGuard({ children }: { children: ReactNode }) {
  const id = useSession()?.id ?? null;
  const isLeaving = useIsCleaningUp() && id === null;
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const last = useRef(id);
  const hasSignedOut = last.current !== null && last.current !== id;

  useEffect(() => {
    if (isLeaving || last.current === null || last.current === id) {
      return;
    }
    last.current = id;
    claimTab();
    if (id !== null) {
      void navigate(paths.home, { replace: true, state: null });
    }
  }, [id, isLeaving, navigate]);

  if (isLeaving) {
    return <Splash />;
  }
  if (id === null) {
    const belongsToSignedOut = hasSignedOut || hasSignedOutPages.read() !== null;
    const state = belongsToSignedOut ? null : { from: pathname + search };
    return <Navigate to={paths.signIn} replace state={state} />;
  }
  return children;
}
