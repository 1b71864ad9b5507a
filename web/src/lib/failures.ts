/**
 * The three ways in which a call ends without what was asked for.
 *
 * `Refusal`: the server has read the request and said no. `NoAnswer`: nobody knows what became of
 * it, because nothing came back, or nothing that could be read. `Cancelled`: nobody waits any more.
 */

export const OFFLINE = "You are offline. Nothing was sent. Try again when you are connected.";
export const NO_ANSWER = "No answer from the server. Check your connection and try again.";
const NEEDS_A_CONNECTION = "You are offline. This screen needs a connection.";
export const NOT_AVAILABLE = "The server is not available at the moment. Please try again.";

/** The server's own answer: its sentence, its code and a sentence per field. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, string>;
  readonly data: unknown;
  readonly statusText: string;
  readonly retryAfterSeconds: number | null;

  constructor(
    message: string,
    refusal: {
      status: number;
      code: string;
      fields?: Record<string, string>;
      data?: unknown;
      statusText?: string;
      retryAfterSeconds?: number | null;
    },
  ) {
    super(message);
    this.name = "Refusal";
    this.status = refusal.status;
    this.code = refusal.code;
    this.fields = refusal.fields ?? {};
    this.data = refusal.data ?? null;
    this.statusText = refusal.statusText ?? "";
    this.retryAfterSeconds = refusal.retryAfterSeconds ?? null;
  }
}

/** No answer that could be read: the request may have been carried out, or may not. */
export class NoAnswer extends Error {
  constructor(message: string = NO_ANSWER, options?: ErrorOptions) {
    super(message, options);
    this.name = "NoAnswer";
  }
}

/** The caller has withdrawn, or the member who asked has left. */
export class Cancelled extends Error {
  constructor(options?: ErrorOptions) {
    super("This was cancelled.", options);
    this.name = "Cancelled";
  }
}

/** Whether the server has decided: a rush or an outage that it reports itself decides nothing. */
export function isDecided(error: unknown): error is Refusal {
  return error instanceof Refusal && error.status < 500 && error.status !== 429;
}

/** Whether the server never saw the request, so that nothing can have come of it. */
export function neverSent(error: unknown): boolean {
  return error instanceof NoAnswer && error.message === OFFLINE;
}

/** Whether the network is known to be gone, so that nothing needs to be tried. */
export function isOffline(): boolean {
  return navigator.onLine === false;
}

/** What a member reads when a call went wrong, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : "Something went wrong.";
}

/** What stands in the place of what could not be read. */
export function unreadMessageOf(error: unknown): string {
  return error instanceof NoAnswer && isOffline() ? NEEDS_A_CONNECTION : messageOf(error);
}
