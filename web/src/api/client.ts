import type { AddressOf, BodyOf, DataOf, Last, OperationOf, PathOf } from "@/api/operations";
import type { paths as ServerPaths } from "@/api/schema.gen";
import {
  Cancelled,
  isOffline,
  NO_ANSWER,
  NOT_AVAILABLE,
  NoAnswer,
  OFFLINE,
  Refusal,
} from "@/lib/failures";
import { leaveTo } from "@/lib/navigation";
import { noteAnswer, noteLoss } from "@/lib/online";
import { paths } from "@/lib/paths";
import { endSession, session } from "@/lib/session";
import { isRecord } from "@/lib/storage";

const GIVE_UP_AFTER_MS = 30_000;
const SIGNED_OUT_STATUSES = [401, 403];

/** An answer of the server, taken out of its envelope. */
export interface Answer<Data> {
  status: number;
  message: string;
  data: Data;
}

/** What is read of an answer besides its body. */
type ResponseHead = Pick<Response, "ok" | "status" | "statusText"> & {
  headers: Pick<Headers, "get">;
};

interface CallOptions {
  /** Send the session's token; off for the calls of signed-out visitors. */
  asMember?: boolean;
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Let the call be finished although the page is left. */
  keepalive?: boolean;
}

interface Address {
  inPath?: object;
  inQuery?: object;
}

type Asking<Verb extends "get", Paths> = <Path extends PathOf<Verb, Paths>>(
  path: Path,
  ...last: Last<CallOptions & AddressOf<OperationOf<Verb, Path, Paths>>>
) => Promise<Answer<DataOf<OperationOf<Verb, Path, Paths>>>>;

/** A call that sends a body: null for an operation that takes none. */
export type Sending<Verb extends "post" | "put" | "patch" | "delete", Paths = ServerPaths> = <
  Path extends PathOf<Verb, Paths>,
>(
  path: Path,
  body: BodyOf<OperationOf<Verb, Path, Paths>>,
  ...last: Last<CallOptions & AddressOf<OperationOf<Verb, Path, Paths>>>
) => Promise<Answer<DataOf<OperationOf<Verb, Path, Paths>>>>;

/** Ask the server with GET, as the signed-in member unless told otherwise. */
export const get: Asking<"get", ServerPaths> = (path, ...[options]) =>
  call("GET", path, null, options);

/** Send `body` with POST, as the signed-in member unless told otherwise. */
export const post: Sending<"post"> = (path, body, ...[options]) =>
  call("POST", path, body, options);

/** Put `body` in the place of what is there. */
export const put: Sending<"put"> = (path, body, ...[options]) => call("PUT", path, body, options);

/** Change what `body` names, and nothing else. */
export const patch: Sending<"patch"> = (path, body, ...[options]) =>
  call("PATCH", path, body, options);

/** Remove something with DELETE, as the signed-in member. */
export const remove: Sending<"delete"> = (path, body, ...[options]) =>
  call("DELETE", path, body, options);

/** Ask for a file, as the signed-in member; failures are those of any call. */
export async function getFile(path: keyof ServerPaths, address: Address): Promise<Blob> {
  const token = session.read()?.userToken;
  const response = await send("GET", addressOf(path, address), token, null, {});
  if (!response.ok) {
    unwrap(response, await readBody(response, undefined), token);
  }
  try {
    const file = await response.blob();
    noteAnswer();
    return file;
  } catch (error) {
    throw lostAnswer(error, undefined);
  }
}

/**
 * Make one call and unwrap its envelope.
 *
 * Throws:
 *   Refusal: the server said no; its sentence is the message.
 *   NoAnswer: nothing came back, or nothing that could be read. Without a network a write is not
 *     even tried.
 *   Cancelled: `signal` was aborted, or the member who asked is no longer signed in.
 *
 * A 401 or 403 to a call that carried a token ends the session of that token.
 */
async function call<Data>(
  method: string,
  path: string,
  content: unknown,
  options: CallOptions & Address = {},
): Promise<Answer<Data>> {
  const token = options.asMember === false ? undefined : session.read()?.userToken;
  if (method !== "GET" && isOffline()) {
    throw new NoAnswer(OFFLINE);
  }
  const response = await send(method, addressOf(path, options), token, content, options);
  const body = await readBody(response, options.signal);
  return unwrap(response, body, token);
}

/** What every answer goes through, whoever fetched it: the dead token, the refusal, the data. */
export function unwrap<Data>(
  response: ResponseHead,
  body: unknown,
  token: string | undefined,
): Answer<Data> {
  // What was asked for one member is not told to the next, and ends nothing of theirs.
  if (token !== undefined && session.read()?.userToken !== token) {
    throw new Cancelled();
  }
  if (!isRecord(body)) {
    noteLoss();
    throw new NoAnswer(response.ok ? NO_ANSWER : NOT_AVAILABLE);
  }
  noteAnswer();
  // A page of something in between, with whatever status, ends nobody's session.
  if (token !== undefined && SIGNED_OUT_STATUSES.includes(response.status)) {
    endSession("expired");
    leaveTo(paths.signIn);
  }
  if (!response.ok) {
    throw refusalOf(response, body);
  }
  return {
    status: response.status,
    message: textOf(body["message"]) ?? "",
    data: body["data"] as Data,
  };
}

/** A path with what its placeholders stand for, and its query. */
export function addressOf(path: string, { inPath = {}, inQuery = {} }: Address): string {
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
    throw lostAnswer(error, options.signal);
  }
}

/** Why nothing came back: the caller has withdrawn, or nobody knows. */
export function lostAnswer(cause: unknown, signal: AbortSignal | undefined): Cancelled | NoAnswer {
  if (signal?.aborted) {
    return new Cancelled({ cause });
  }
  noteLoss();
  return new NoAnswer(NO_ANSWER, { cause });
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

/** The answer as JSON, or null; a body that breaks off is no answer. */
async function readBody(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    throw lostAnswer(error, signal);
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** An envelope with a code is the server's word; anything else came from something in between. */
function refusalOf(response: ResponseHead, envelope: Record<string, unknown>): Refusal | NoAnswer {
  const error = isRecord(envelope["error"]) ? envelope["error"] : {};
  const code = textOf(error["code"]);
  if (code === undefined) {
    return new NoAnswer(NOT_AVAILABLE);
  }
  const retryAfter = Number(response.headers.get("Retry-After"));
  return new Refusal(textOf(envelope["message"]) ?? NOT_AVAILABLE, {
    status: response.status,
    statusText: response.statusText,
    code,
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
