import { useSyncExternalStore } from "react";
import { isOffline } from "@/lib/failures";

/**
 * Whether the server can be reached: `offline` when the browser has no network, `unanswered` when it
 * has one that nothing comes back through.
 */
export type Reach = "online" | "offline" | "unanswered";

/** One call in a tunnel is nothing; two in a row are a network that only looks like one. */
const LOST_IN_A_ROW = 2;
const PROBE_AFTER_MS = [3000, 6000, 12_000, 30_000];
const PROBE = "/healthz";

const listeners = new Set<() => void>();
let lost = 0;
let probes = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let told: Reach = "online";

function readReach(): Reach {
  if (isOffline()) {
    return "offline";
  }
  return lost >= LOST_IN_A_ROW ? "unanswered" : "online";
}

function tell(isChange = false): void {
  const reach = readReach();
  clearTimeout(timer);
  if (reach === "unanswered") {
    timer = setTimeout(probe, PROBE_AFTER_MS[Math.min(probes, PROBE_AFTER_MS.length - 1)]);
  } else {
    probes = 0;
  }
  if (isChange || reach !== told) {
    told = reach;
    for (const listener of listeners) {
      listener();
    }
  }
}

/** Ask for nothing but an answer, less and less often; a page that nobody looks at does not ask. */
async function probe(): Promise<void> {
  probes += 1;
  if (document.visibilityState === "visible") {
    try {
      await fetch(PROBE, { method: "HEAD", cache: "no-store", credentials: "omit" });
      noteAnswer();
      return;
    } catch {
      // Still nothing.
    }
  }
  tell();
}

/** Something came back from the server, whatever it said. */
export function noteAnswer(): void {
  lost = 0;
  tell();
}

/** Nothing came back, or nothing that the server had written. */
export function noteLoss(): void {
  lost += 1;
  tell();
}

/** Hear of every change between reachable and not; returns how to stop. */
export function subscribeToReach(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener("online", announceAgain);
    window.addEventListener("offline", announceAgain);
  }
  listeners.add(listener);
  told = readReach();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      window.removeEventListener("online", announceAgain);
      window.removeEventListener("offline", announceAgain);
    }
  };
}

/** Another network is another chance: what was lost in the old one says nothing of it. */
function announceAgain(): void {
  lost = 0;
  tell(true);
}

/** Whether nothing is known to stand between this page and the server. */
export function isReachable(): boolean {
  return readReach() === "online";
}

/** How the server can be reached right now. */
export function useReach(): Reach {
  return useSyncExternalStore(subscribeToReach, readReach);
}

/** Whether the browser has a network. */
export function useOnline(): boolean {
  return useReach() !== "offline";
}
