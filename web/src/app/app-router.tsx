import { type ReactNode, startTransition, useEffect, useLayoutEffect, useState } from "react";
import { Router } from "react-router-dom";
import { ScreenHistory } from "@/lib/ui/screen-history";

interface AppRouterProps {
  basename?: string;
  children: ReactNode;
}

/** The router over the browser's history, in which Back closes the top overlay first. */
export function AppRouter({ basename = "/", children }: AppRouterProps) {
  const [history] = useState(() => new ScreenHistory());
  const [{ action, location }, setShown] = useState(() => history.shown);
  useLayoutEffect(
    () => history.listen((shown) => startTransition(() => setShown(shown))),
    [history],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen may keep overlays open
  useEffect(() => history.settle(), [history, location]);
  return (
    <Router basename={basename} navigator={history} navigationType={action} location={location}>
      {children}
    </Router>
  );
}
