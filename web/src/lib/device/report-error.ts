import { Cancelled, NoAnswer } from "@/lib/live/failures";

/** The source of an error: a screen that failed to open, a script, or an unhandled rejection. */
type Kind = "screen" | "script" | "unhandled";

/** The server's limits; a report that exceeds them is lost. */
const MAX_LENGTHS = { name: 80, message: 500, path: 200, build: 40 };
/** This module's file name contains the digest of its content. */
const BUILD = import.meta.url.split(/[/?#]/).findLast((part) => /\.[jt]s$/.test(part)) ?? "unknown";

const MAX_REPORTS = 5;
let reported = 0;

/**
 * Report a browser error to the server, for the operators.
 *
 * Only the error and the screen's address are sent, without its query: no member data. A page
 * reports at most five, and a lost report is not repeated.
 */
export function reportError(kind: Kind, error: unknown): void {
  if (reported >= MAX_REPORTS) {
    return;
  }
  reported += 1;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const body = {
    kind,
    name: (name || "Error").slice(0, MAX_LENGTHS.name),
    message: message.slice(0, MAX_LENGTHS.message),
    path: window.location.pathname.slice(0, MAX_LENGTHS.path),
    build: BUILD.slice(0, MAX_LENGTHS.build),
  };
  fetch("/api/v1/client-errors", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    keepalive: true,
  }).catch(() => undefined);
}

/** Report uncaught errors; a lost connection is not an error of the app. */
export function reportUncaughtErrors(): void {
  window.addEventListener("error", ({ error }) => error && reportError("script", error));
  window.addEventListener("unhandledrejection", ({ reason }) => {
    if (!(reason instanceof NoAnswer || reason instanceof Cancelled)) {
      reportError("unhandled", reason);
    }
  });
}
