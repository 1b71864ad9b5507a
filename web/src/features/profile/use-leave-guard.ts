import { useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";

interface LeaveGuard {
  /** Whether the member wants to leave and has to decide. */
  asking: boolean;
  leave: () => void;
  stay: () => void;
}

/**
 * Ask before unsaved changes are left by a link, by Back or Forward, or by closing the tab.
 *
 * The router's own blocker needs its data router, which this app does without. A link is caught
 * before the router hears of it; a step in the history is taken back and repeated on leaving.
 */
export function useLeaveGuard(unsaved: boolean): LeaveGuard {
  const navigate = useNavigate();
  const [wayOut, setWayOut] = useState<(() => void) | null>(null);
  const leaving = useRef(false);

  useEffect(() => {
    if (!unsaved) {
      return;
    }
    leaving.current = false;
    const stopLinks = guardLinks((address) => setWayOut(() => () => void navigate(address)));
    const stopSteps = guardSteps(leaving, (steps) =>
      setWayOut(() => () => window.history.go(steps)),
    );
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onUnload);
    return () => {
      stopLinks();
      stopSteps();
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [unsaved, navigate]);

  return {
    asking: wayOut !== null,
    stay: () => setWayOut(null),
    leave: () => {
      leaving.current = true;
      setWayOut(null);
      wayOut?.();
    },
  };
}

function guardLinks(ask: (address: string) => void): () => void {
  const onClick = (event: MouseEvent) => {
    const address = addressLeftFor(event);
    if (address !== null) {
      event.preventDefault();
      event.stopPropagation();
      ask(address);
    }
  };
  document.addEventListener("click", onClick, true);
  return () => document.removeEventListener("click", onClick, true);
}

/** The address of another screen of the app that a plain click opens, or null. */
function addressLeftFor(event: MouseEvent): string | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
  if (link === null || !isPlain || event.defaultPrevented || opensElsewhere(link)) {
    return null;
  }
  const { pathname, search, hash } = link;
  return pathname === window.location.pathname ? null : pathname + search + hash;
}

function opensElsewhere(link: HTMLAnchorElement): boolean {
  return link.target === "_blank" || link.download !== "" || link.origin !== window.location.origin;
}

/** The router numbers its entries of the history; the difference says how far a step went. */
function guardSteps(
  leaving: { readonly current: boolean },
  ask: (steps: number) => void,
): () => void {
  const here = placeIn(window.history.state);
  let comingBack = false;
  const onStep = (event: PopStateEvent) => {
    const there = placeIn(event.state);
    if (leaving.current || here === null || there === null) {
      return;
    }
    event.stopImmediatePropagation();
    if (comingBack || there === here) {
      comingBack = false;
      return;
    }
    comingBack = true;
    window.history.go(here - there);
    ask(there - here);
  };
  window.addEventListener("popstate", onStep, true);
  return () => window.removeEventListener("popstate", onStep, true);
}

function placeIn(state: unknown): number | null {
  const place = (state as { idx?: unknown } | null)?.idx;
  return typeof place === "number" ? place : null;
}
