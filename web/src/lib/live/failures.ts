/**
 * The three ways in which a call fails.
 *
 * `Refusal`: the server has read the request and refused it. `NoAnswer`: the outcome is unknown,
 * because no response came, or none that could be read. `Cancelled`: the caller no longer waits.
 */

export const OFFLINE = "You are offline. Nothing was sent. Try again when you are connected.";
export const NO_ANSWER = "No answer from the server. Check your connection and try again.";
export const NEEDS_A_CONNECTION = "You are offline. This screen needs a connection.";
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

/** No readable response: the request may or may not have been carried out. */
export class NoAnswer extends Error {
  constructor(message: string = NO_ANSWER, options?: ErrorOptions) {
    super(message, options);
    this.name = "NoAnswer";
  }
}

/** The caller has aborted, or the member who asked has signed out. */
export class Cancelled extends Error {
  constructor(options?: ErrorOptions) {
    super("This was cancelled.", options);
    this.name = "Cancelled";
  }
}

/** Whether the server has decided: a rate limit or an outage that it reports decides nothing. */
export function isDecided(error: unknown): error is Refusal {
  return error instanceof Refusal && error.status < 500 && error.status !== 429;
}

/** Whether the server never saw the request, so that it has no effect. */
export function neverSent(error: unknown): boolean {
  return error instanceof NoAnswer && error.message === OFFLINE;
}

/** Whether the browser is known to be offline, so that trying is pointless. */
export function isOffline(): boolean {
  return navigator.onLine === false;
}

/** The text that a member reads after a failed call, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : "Something went wrong.";
}
