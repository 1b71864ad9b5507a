import { useEffect, useRef, useState } from "react";
import { useHref, useNavigate } from "react-router-dom";
import { holdScreen } from "@/lib/ui/overlays";

interface LeaveGuard {
  /** Whether the member wants to leave and has to decide. */
  asking: boolean;
  leave: () => void;
  stay: () => void;
}

/** Asks before unfinished work is left, then continues. */
type Guard = (proceed: () => void) => void;

/** The guards of leaving, newest last. */
const guards: Guard[] = [];

/** Leave the screen, such as by signing out, after asking the member if a guard is active. */
export function leaveBy(proceed: () => void): void {
  const ask = guards.at(-1);
  if (ask === undefined) {
    proceed();
  } else {
    ask(proceed);
  }
}

/**
 * Ask before unfinished work is left: the browser asks when the tab is closed or reloaded.
 *
 * With `inside`, links of the app, Back and `leaveBy` are also held until `leave` or `stay` is
 * called. A link is caught before the router handles it.
 */
export function useLeaveGuard(active: boolean, { inside = false } = {}): LeaveGuard {
  const navigate = useNavigate();
  const base = useHref("/").replace(/\/$/, "");
  const [wayOut, setWayOut] = useState<(() => void) | null>(null);
  const leaving = useRef(false);

  useEffect(() => {
    if (!active) {
      return;
    }
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!leaving.current) {
        event.preventDefault();
        event.returnValue = true; // required by browsers before 2023
      }
    };
    window.addEventListener("beforeunload", onUnload);
    return () => window.removeEventListener("beforeunload", onUnload);
  }, [active]);

  useEffect(() => {
    if (!active || !inside) {
      return;
    }
    const ask: Guard = (proceed) => setWayOut(() => proceed);
    guards.push(ask);
    const releaseLinks = guardLinks((address) =>
      ask(() => void navigate(address.slice(base.length))),
    );
    const releaseBack = holdScreen(() => ask(() => void navigate(-1)));
    return () => {
      guards.splice(guards.indexOf(ask), 1);
      releaseLinks();
      releaseBack();
    };
  }, [active, inside, navigate, base]);

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
