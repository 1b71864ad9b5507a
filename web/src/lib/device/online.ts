import { useSyncExternalStore } from "react";
import { isOffline } from "@/lib/live/failures";

/**
 * Whether the server can be reached: `offline` if the browser has no network, `unanswered` if it
 * has one without any response.
 */
export type Reach = "online" | "offline" | "unanswered";

/** One lost call in a tunnel is nothing; two in a row mean a network without a connection. */
const LOST_IN_A_ROW = 2;
/** A member sees within two seconds that the network is back (contract N-8). */
const CHECK_INTERVAL_MS = 1500;
/** On a slow network a response takes longer than the interval. */
const PROBE_TIMEOUT_MS = 6000;
const PROBE = "/healthz";

const listeners = new Set<() => void>();
let lost = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let announced: Reach = "online";

function readReach(): Reach {
  if (isOffline()) {
    return "offline";
  }
  return lost >= LOST_IN_A_ROW ? "unanswered" : "online";
}

function announce(isChange = false): void {
  if (announced === "offline" && !isOffline()) {
    lost = 0; // losses in the old network say nothing about the new one
  }
  const reach = readReach();
  clearTimeout(timer);
  if (reach !== "online") {
    timer = setTimeout(check, CHECK_INTERVAL_MS);
  }
  if (isChange || reach !== announced) {
    announced = reach;
    for (const listener of listeners) {
      listener();
    }
  }
}

/** Check whether the network is back; not every browser fires an event for it. */
function check(): void {
  announce();
  if (announced === "unanswered" && document.visibilityState === "visible") {
    void probe();
  }
}

async function probe(): Promise<void> {
  const stop = new AbortController();
  const timeout = setTimeout(() => stop.abort(), PROBE_TIMEOUT_MS);
  try {
    await fetch(PROBE, {
      method: "HEAD",
      cache: "no-store",
      credentials: "omit",
      signal: stop.signal,
    });
    recordResponse();
  } catch {
    // Still no response.
  } finally {
    clearTimeout(timeout);
  }
}

/** The server responded, with any status. */
export function recordResponse(): void {
  lost = 0;
  announce();
}

/** No response came, or none that the server had written. */
export function recordLoss(): void {
  lost += 1;
  announce();
}

/** Subscribe to changes of reachability; returns a function that unsubscribes. */
export function subscribeToReach(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    window.addEventListener("online", announceAgain);
    window.addEventListener("offline", announceAgain);
    announced = readReach();
    announce(); // a page that is loaded offline checks from the start
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearTimeout(timer);
      window.removeEventListener("online", announceAgain);
      window.removeEventListener("offline", announceAgain);
    }
  };
}

/** A new network is a new chance: losses in the old one say nothing about it. */
function announceAgain(): void {
  lost = 0;
  announce(true);
}

/** Whether the server is not known to be unreachable. */
export function isReachable(): boolean {
  return readReach() === "online";
}

/** The current reachability of the server. */
export function useReach(): Reach {
  return useSyncExternalStore(subscribeToReach, readReach);
}

/** Whether the browser has a network. */
export function useOnline(): boolean {
  return useReach() !== "offline";
}
