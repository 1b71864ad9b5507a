import { useSyncExternalStore } from "react";
import { isOffline } from "@/lib/live/failures";

/**
 * Whether the server can be reached: `offline` if the browser has no network, `unanswered` if it
 * has one without any response.
 */
export type Reach = "online" | "offline" | "unanswered";

/** One lost call in a tunnel is nothing; two in a row mean a network without a connection. */
const LOST_IN_A_ROW = 2;
const PROBE_DELAYS_MS = [3000, 6000, 12_000, 30_000];
const PROBE = "/healthz";

const listeners = new Set<() => void>();
let lost = 0;
let probes = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let announced: Reach = "online";

function readReach(): Reach {
  if (isOffline()) {
    return "offline";
  }
  return lost >= LOST_IN_A_ROW ? "unanswered" : "online";
}

function announce(isChange = false): void {
  const reach = readReach();
  clearTimeout(timer);
  if (reach === "unanswered") {
    timer = setTimeout(probe, PROBE_DELAYS_MS[Math.min(probes, PROBE_DELAYS_MS.length - 1)]);
  } else {
    probes = 0;
  }
  if (isChange || reach !== announced) {
    announced = reach;
    for (const listener of listeners) {
      listener();
    }
  }
}

/** Probe for any response, with growing intervals; paused while the page is hidden. */
async function probe(): Promise<void> {
  probes += 1;
  if (document.visibilityState === "visible") {
    try {
      await fetch(PROBE, { method: "HEAD", cache: "no-store", credentials: "omit" });
      recordResponse();
      return;
    } catch {
      // Still no response.
    }
  }
  announce();
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
  if (listeners.size === 0) {
    window.addEventListener("online", announceAgain);
    window.addEventListener("offline", announceAgain);
  }
  listeners.add(listener);
  announced = readReach();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
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
