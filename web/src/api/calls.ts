import { recordLoss, recordResponse } from "@/lib/device/online";
import { isRecord } from "@/lib/device/storage";
import { Cancelled, NO_ANSWER, NOT_AVAILABLE, NoAnswer, Refusal } from "@/lib/live/failures";

/**
 * Transport shared by all clients: addresses, requests and the response envelope.
 *
 * Callers choose the client; each client decides how to handle a rejected token.
 */

const TIMEOUT_MS = 30_000;

/** A response, unwrapped from its envelope. */
export interface Answer<Data> {
  status: number;
  message: string;
  data: Data;
}

/** The parts of a response that are read besides its body. */
export type ResponseHead = Pick<Response, "ok" | "status" | "statusText"> & {
  headers: Pick<Headers, "get">;
};

export interface SendOptions {
  idempotencyKey?: string;
  /** The solution of a challenge, where the server asked for one. */
  challenge?: string | undefined;
  signal?: AbortSignal;
  /** Let the request finish even if the page is closed. */
  keepalive?: boolean;
}

export interface Address {
  inPath?: object | undefined;
  inQuery?: object | undefined;
}

export type Envelope = Record<string, unknown>;

/**
 * The response envelope.
 *
 * Throws:
 *   NoAnswer: it is not an envelope, so the response is not the server's.
 */
export function envelopeOf(response: ResponseHead, body: unknown): Envelope {
  if (!isRecord(body)) {
    recordLoss();
    throw new NoAnswer(response.ok ? NO_ANSWER : NOT_AVAILABLE);
  }
  recordResponse();
  return body;
}

/**
 * The data of an envelope.
 *
 * Throws:
 *   Refusal: the server refused; its sentence is the message.
 */
export function answerOf<Data>(response: ResponseHead, envelope: Envelope): Answer<Data> {
  if (!response.ok) {
    throw refusalOf(response, envelope);
  }
  return {
    status: response.status,
    message: textOf(envelope["message"]) ?? "",
    data: envelope["data"] as Data,
  };
}

/** A path with its placeholders and query filled in. */
export function addressOf(path: string, { inPath = {}, inQuery = {} }: Address): string {
  let address = path;
  for (const [name, value] of Object.entries(inPath)) {
    address = address.replace(`{${name}}`, encodeURIComponent(String(value)));
  }
  const given = Object.entries(inQuery).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length > 0 ? `${address}?${query}` : address;
}

/** Send a request; FormData goes unchanged, any other body but null as JSON. */
export async function send(
  method: string,
  path: string,
  token: string | undefined,
  content: unknown,
  options: SendOptions,
): Promise<Response> {
  const headers = new Headers({ Accept: "application/json" });
  if (token !== undefined) {
    headers.set("Authorization", `Bearer ${token}`);
  }
  if (options.idempotencyKey !== undefined) {
    headers.set("Idempotency-Key", options.idempotencyKey);
  }
  if (options.challenge !== undefined) {
    headers.set("X-Challenge", options.challenge);
  }
  const request: RequestInit = {
    method,
    headers,
    signal: withTimeLimit(options.signal),
    keepalive: options.keepalive ?? false,
  };
  if (content instanceof FormData) {
    request.body = content;
  } else if (content !== null) {
    headers.set("Content-Type", "application/json");
    request.body = JSON.stringify(content);
  }
  if (method === "GET") {
    await taskOfItsOwn();
  }
  try {
    return await fetch(path, request);
  } catch (error) {
    throw lostAnswer(error, options.signal);
  }
}

/**
 * Continue in another task. A screen starts a dozen requests at once, and sending them together
 * would block a slow phone. Writes are sent at once: the page may be about to close.
 */
function taskOfItsOwn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Why no response came: the caller aborted, or the outcome is unknown. */
export function lostAnswer(cause: unknown, signal: AbortSignal | undefined): Cancelled | NoAnswer {
  if (signal?.aborted) {
    return new Cancelled({ cause });
  }
  recordLoss(cause);
  return new NoAnswer(NO_ANSWER, { cause });
}

function withTimeLimit(signal: AbortSignal | undefined): AbortSignal {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), TIMEOUT_MS);
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

/** The response as JSON, or null; a truncated body does not count. */
export async function readBody(
  response: Response,
  signal: AbortSignal | undefined,
): Promise<unknown> {
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

/** An envelope with a code is the server's; anything else comes from a proxy. */
function refusalOf(response: ResponseHead, envelope: Envelope): Refusal | NoAnswer {
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
