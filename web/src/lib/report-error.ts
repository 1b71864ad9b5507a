/** Where an error came from: a screen that did not open, a script, or a promise nobody waited for. */
type Kind = "screen" | "script" | "promise";

const MOST_REPORTS = 5;
let reported = 0;

/**
 * Tell the server about an error that this browser met, so that the operators hear of it.
 *
 * Only the error and the screen's address are sent, without its query: nothing of the member. A
 * page reports at most five, and a report that does not arrive is not repeated.
 */
export function reportError(kind: Kind, error: unknown): void {
  if (reported >= MOST_REPORTS) {
    return;
  }
  reported += 1;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const body = { kind, name, message: message.slice(0, 500), path: window.location.pathname };
  fetch("/api/v1/client-errors", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    keepalive: true,
  }).catch(() => undefined);
}
