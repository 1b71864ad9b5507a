import { Cancelled, NoAnswer } from "@/lib/failures";

/** Where an error came from: a screen that did not open, a script, or a promise nobody waited for. */
type Kind = "screen" | "script" | "unhandled";

/** What the server takes; a report that does not fit is lost. */
const LONGEST = { name: 80, message: 500, path: 200, build: 40 };
/** The file that this is part of carries the digest of its content. */
const BUILD = import.meta.url.split(/[/?#]/).findLast((part) => /\.[jt]s$/.test(part)) ?? "unknown";

const MAX_REPORTS = 5;
let reported = 0;

/**
 * Tell the server about an error that this browser met, so that the operators hear of it.
 *
 * Only the error and the screen's address are sent, without its query: nothing of the member. A
 * page reports at most five, and a report that does not arrive is not repeated.
 */
export function reportError(kind: Kind, error: unknown): void {
  if (reported >= MAX_REPORTS) {
    return;
  }
  reported += 1;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const body = {
    kind,
    name: (name || "Error").slice(0, LONGEST.name),
    message: message.slice(0, LONGEST.message),
    path: window.location.pathname.slice(0, LONGEST.path),
    build: BUILD.slice(0, LONGEST.build),
  };
  fetch("/api/v1/client-errors", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    keepalive: true,
  }).catch(() => undefined);
}

/** Report what nobody has caught; a lost connection is no fault of the app. */
export function reportUncaughtErrors(): void {
  window.addEventListener("error", ({ error }) => error && reportError("script", error));
  window.addEventListener("unhandledrejection", ({ reason }) => {
    if (!(reason instanceof NoAnswer || reason instanceof Cancelled)) {
      reportError("unhandled", reason);
    }
  });
}
