import { Cancelled, NO_ANSWER, NOT_AVAILABLE, NoAnswer, Refusal } from "@/lib/failures";
import { noteAnswer, noteLoss } from "@/lib/online";
import { isRecord } from "@/lib/storage";

/**
 * How calls travel, whoever makes them: the address, the request, the envelope.
 *
 * Who calls, and what becomes of a dead token, is the business of whoever uses it.
 */

const GIVE_UP_AFTER_MS = 30_000;

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

export interface SendOptions {
  idempotencyKey?: string;
  signal?: AbortSignal;
  /** Let the call be finished although the page is left. */
  keepalive?: boolean;
}

export interface Address {
  inPath?: object | undefined;
  inQuery?: object | undefined;
}

export type Envelope = Record<string, unknown>;

/**
 * The envelope of an answer.
 *
 * Throws:
 *   NoAnswer: what came is none, so that something in between has answered.
 */
export function envelopeOf(response: ResponseHead, body: unknown): Envelope {
  if (!isRecord(body)) {
    noteLoss();
    throw new NoAnswer(response.ok ? NO_ANSWER : NOT_AVAILABLE);
  }
  noteAnswer();
  return body;
}

/**
 * The data of an envelope.
 *
 * Throws:
 *   Refusal: the server said no; its sentence is the message.
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

/** Send a request; FormData goes as it is, anything else but null as JSON. */
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
 * Go on in another task. A screen asks for a dozen things at once; together they would keep a slow
 * phone from answering. What is written goes at once: the page may be about to close.
 */
function taskOfItsOwn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
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

/** An envelope with a code is the server's word; anything else came from something in between. */
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
