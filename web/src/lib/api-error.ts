/** A refusal of the server: its sentence, its code and a sentence per field. */
export class ApiError extends Error {
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
    this.name = "ApiError";
    this.status = refusal.status;
    this.code = refusal.code;
    this.fields = refusal.fields ?? {};
    this.data = refusal.data ?? null;
    this.statusText = refusal.statusText ?? "";
    this.retryAfterSeconds = refusal.retryAfterSeconds ?? null;
  }
}

/** What a member reads when a call went wrong, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : "Something went wrong.";
}

/** Whether the server has decided: a refusal is final, an outage or a rush is not. */
export function isFinalAnswer(error: unknown): boolean {
  return error instanceof ApiError && error.status < 500 && error.status !== 429;
}
