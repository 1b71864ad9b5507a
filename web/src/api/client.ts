import { ApiError } from "@/lib/api-error";
import { leaveTo } from "@/lib/navigation";
import { paths } from "@/lib/paths";
import { session } from "@/lib/session";
import { isRecord } from "@/lib/storage";

const GIVE_UP_AFTER_MS = 30_000;
const SIGNED_OUT_STATUSES = [401, 403];

/** An answer of the server, taken out of its envelope. */
export interface Answer<Data> {
  status: number;
  message: string;
  data: Data;
}

interface CallOptions {
  body?: unknown;
  /** Send the session's token; off for the calls of signed-out visitors. */
  asMember?: boolean;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

/** Ask the server with GET, as the signed-in member unless told otherwise. */
export function get<Data>(path: string, options: CallOptions = {}): Promise<Answer<Data>> {
  return call<Data>("GET", path, options);
}

/** Send `body` with POST, as the signed-in member unless told otherwise. */
export function post<Data>(
  path: string,
  body: unknown,
  options: CallOptions = {},
): Promise<Answer<Data>> {
  return call<Data>("POST", path, { ...options, body });
}

/**
 * Make one call and unwrap its envelope.
 *
 * Throws:
 *   ApiError: the server refused; its sentence is the message.
 *   Error: no answer came at all.
 *
 * A 401 or 403 to a call that carried a token ends the session and goes to the sign-in page.
 */
async function call<Data>(
  method: string,
  path: string,
  options: CallOptions,
): Promise<Answer<Data>> {
  const token = options.asMember === false ? undefined : session.read()?.userToken;
  const response = await send(method, path, token, options);
  const body = await readBody(response);
  if (token !== undefined && SIGNED_OUT_STATUSES.includes(response.status)) {
    session.clear();
    leaveTo(paths.signIn);
  }
  if (!response.ok || !isRecord(body)) {
    throw refusalOf(response, body);
  }
  return {
    status: response.status,
    message: textOf(body["message"]) ?? "",
    data: body["data"] as Data,
  };
}

async function send(
  method: string,
  path: string,
  token: string | undefined,
  options: CallOptions,
): Promise<Response> {
  const headers = new Headers({ Accept: "application/json" });
  if (token !== undefined) {
    headers.set("Authorization", `Bearer ${token}`);
  }
  if (options.idempotencyKey !== undefined) {
    headers.set("Idempotency-Key", options.idempotencyKey);
  }
  const request: RequestInit = { method, headers, signal: withTimeLimit(options.signal) };
  if (options.body !== undefined) {
    headers.set("Content-Type", "application/json");
    request.body = JSON.stringify(options.body);
  }
  try {
    return await fetch(path, request);
  } catch (error) {
    if (options.signal?.aborted) {
      throw error;
    }
    throw new Error("No answer from the server. Check your connection and try again.", {
      cause: error,
    });
  }
}

function withTimeLimit(signal: AbortSignal | undefined): AbortSignal {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), GIVE_UP_AFTER_MS);
  const stop = () => {
    clearTimeout(timer);
    limit.abort();
  };
  signal?.addEventListener("abort", stop, { once: true });
  return limit.signal;
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function refusalOf(response: Response, body: unknown): ApiError {
  const envelope = isRecord(body) ? body : {};
  const error = isRecord(envelope["error"]) ? envelope["error"] : {};
  const retryAfter = Number(response.headers.get("Retry-After"));
  return new ApiError(textOf(envelope["message"]) ?? sentenceFor(response.status), {
    status: response.status,
    statusText: response.statusText,
    code: textOf(error["code"]) ?? "unknown",
    fields: sentencesOf(error["fields"]),
    data: envelope["data"],
    retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
  });
}

function sentencesOf(fields: unknown): Record<string, string> {
  const pairs = Object.entries(isRecord(fields) ? fields : {});
  return Object.fromEntries(
    pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function sentenceFor(status: number): string {
  return status >= 500
    ? "The server is not available at the moment. Please try again."
    : "The server could not do that.";
}
