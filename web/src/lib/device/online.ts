import { useSyncExternalStore } from "react";
import { isOffline } from "@/lib/live/failures";

/**
 * Whether the server can be reached: `offline` without a network, or with one that carries nothing;
 * `unanswered` if responses come that are not the server's, or requests hang.
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
/** Whether the last request came nowhere at all. */
let wasUnsent = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let announced: Reach = "online";
/** What the browser said at the last check. */
let hadNoNetwork = false;

function readReach(): Reach {
  if (isOffline()) {
    return "offline";
  }
  if (lost < LOST_IN_A_ROW) {
    return "online";
  }
  return wasUnsent ? "offline" : "unanswered";
}

function announce(isChange = false): void {
  if (hadNoNetwork && !isOffline()) {
    lost = 0; // losses in the old network say nothing about the new one
  }
  hadNoNetwork = isOffline();
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
  if (announced !== "online" && !isOffline() && document.visibilityState === "visible") {
    void probe();
  }
}

/** Ask the server at once: something failed to load that is no call. */
export function checkReach(): void {
  if (!isOffline()) {
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
  } catch (error) {
    lost = Math.max(lost, LOST_IN_A_ROW - 1);
    recordLoss(error);
  } finally {
    clearTimeout(timeout);
  }
}

/** The server responded, with any status. */
export function recordResponse(): void {
  lost = 0;
  announce();
}

/** No response came, or none that the server had written; `cause` is what the browser threw. */
export function recordLoss(cause?: unknown): void {
  lost += 1;
  wasUnsent = cause instanceof TypeError;
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

/** Whether nothing can be sent, or nothing that was sent came anywhere. */
export function hasNoNetwork(): boolean {
  return readReach() === "offline";
}

/** Whether the server is not known to be unreachable. */
export function isReachable(): boolean {
  return readReach() === "online";
}

/** The current reachability of the server. */
export function useReach(): Reach {
  return useSyncExternalStore(subscribeToReach, readReach);
}

/** Whether the browser says that it has a network. */
export function useNetwork(): boolean {
  return useSyncExternalStore(subscribeToReach, () => !isOffline());
}

/** Whether there is a network, as far as we know. */
export function useOnline(): boolean {
  return useReach() !== "offline";
}
