import type { paths as ServerPaths } from "@/api/schema.gen";
import { ApiError } from "@/lib/api-error";
import { leaveTo } from "@/lib/navigation";
import { paths } from "@/lib/paths";
import { session } from "@/lib/session";
import { isRecord } from "@/lib/storage";

export const NO_ANSWER = "No answer from the server. Check your connection and try again.";
const GIVE_UP_AFTER_MS = 30_000;
const SIGNED_OUT_STATUSES = [401, 403];

/** The addresses of the server that know `Method`. */
type PathOf<Method extends "get" | "post" | "delete"> = {
  [Path in keyof ServerPaths]: ServerPaths[Path] extends Record<Method, { responses: unknown }>
    ? Path
    : never;
}[keyof ServerPaths];

/** The envelope's data in the successful answer of an operation. */
type DataOf<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & (200 | 201)]: Responses[Status] extends {
        content: { "application/json": { data: infer Data } };
      }
        ? Data
        : never;
    }[keyof Responses & (200 | 201)]
  : never;

type BodyOf<Operation> = Operation extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : null;

type InPathOf<Operation> = Operation extends { parameters: { path: infer InPath } }
  ? { inPath: InPath }
  : { inPath?: never };

/** An answer of the server, taken out of its envelope. */
export interface Answer<Data> {
  status: number;
  message: string;
  data: Data;
}

/** What is read of an answer besides its body. */
export type ResponseHead = Pick<Response, "ok" | "status" | "statusText"> & {
  headers: Pick<Headers, "get">;
};

interface CallOptions {
  /** Send the session's token; off for the calls of signed-out visitors. */
  asMember?: boolean;
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Let the call be finished although the page is left. */
  keepalive?: boolean;
  /** Values for the `{names}` in the address. */
  inPath?: object;
  inQuery?: Record<string, string | number | undefined>;
}

/** Ask the server with GET, as the signed-in member unless told otherwise. */
export function get<Path extends PathOf<"get">>(
  path: Path,
  options: CallOptions & InPathOf<ServerPaths[Path]["get"]>,
): Promise<Answer<DataOf<ServerPaths[Path]["get"]>>> {
  return call("GET", path, null, options);
}

/** Send `body` with POST, as the signed-in member unless told otherwise. */
export function post<Path extends PathOf<"post">>(
  path: Path,
  body: BodyOf<ServerPaths[Path]["post"]>,
  options: CallOptions = {},
): Promise<Answer<DataOf<ServerPaths[Path]["post"]>>> {
  return call("POST", path, body, options);
}

/** Remove something with DELETE, as the signed-in member. */
export function remove<Path extends PathOf<"delete">>(
  path: Path,
  body: BodyOf<ServerPaths[Path]["delete"]>,
  options: CallOptions & InPathOf<ServerPaths[Path]["delete"]>,
): Promise<Answer<DataOf<ServerPaths[Path]["delete"]>>> {
  return call("DELETE", path, body, options);
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
  content: unknown,
  options: CallOptions,
): Promise<Answer<Data>> {
  const token = options.asMember === false ? undefined : session.read()?.userToken;
  const response = await send(method, addressOf(path, options), token, content, options);
  return unwrap(response, await readBody(response), token);
}

/** What every answer goes through, whoever fetched it: the dead token, the refusal, the data. */
export function unwrap<Data>(
  response: ResponseHead,
  body: unknown,
  token: string | undefined,
): Answer<Data> {
  const isDead = token !== undefined && SIGNED_OUT_STATUSES.includes(response.status);
  // A late answer to an older token says nothing of the session that is open now.
  if (isDead && session.read()?.userToken === token) {
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

function addressOf(path: string, { inPath = {}, inQuery = {} }: CallOptions): string {
  let address = path;
  for (const [name, value] of Object.entries(inPath)) {
    address = address.replace(`{${name}}`, encodeURIComponent(String(value)));
  }
  const given = Object.entries(inQuery).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length > 0 ? `${address}?${query}` : address;
}

async function send(
  method: string,
  path: string,
  token: string | undefined,
  content: unknown,
  options: CallOptions,
): Promise<Response> {
  const headers = new Headers({ Accept: "application/json" });
  if (token !== undefined) {
    headers.set("Authorization", `Bearer ${token}`);
  }
  if (options.idempotencyKey !== undefined) {
    headers.set("Idempotency-Key", options.idempotencyKey);
  }
  const request: RequestInit = {
    method,
    headers,
    signal: withTimeLimit(options.signal),
    keepalive: options.keepalive ?? false,
  };
  if (content !== null) {
    headers.set("Content-Type", "application/json");
    request.body = JSON.stringify(content);
  }
  try {
    return await fetch(path, request);
  } catch (error) {
    if (options.signal?.aborted) {
      throw error;
    }
    throw new Error(NO_ANSWER, { cause: error });
  }
}

function withTimeLimit(signal: AbortSignal | undefined): AbortSignal {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), GIVE_UP_AFTER_MS);
  const stop = () => {
    clearTimeout(timer);
    limit.abort();
  };
  if (signal?.aborted) {
    stop();
  }
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

function refusalOf(response: ResponseHead, body: unknown): ApiError {
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
