import {
  type Address,
  type Answer,
  addressOf,
  answerOf,
  envelopeOf,
  lostAnswer,
  type ResponseHead,
  readBody,
  type SendOptions,
  send,
} from "@/api/calls";
import type { AddressOf, BodyOf, DataOf, Last, OperationOf, PathOf } from "@/api/operations";
import type { paths as ServerPaths } from "@/api/schema.gen";
import { recordResponse } from "@/lib/device/online";
import { paths } from "@/lib/format/paths";
import { Cancelled, isOffline, NoAnswer, neverSent, OFFLINE } from "@/lib/live/failures";
import { textIn } from "@/lib/live/socket-events";
import { endSession, saveSignOutMessage, session } from "@/lib/session/session";
import { leaveTo } from "@/lib/ui/navigation";

const SIGNED_OUT_STATUSES = [401, 403];
const PAUSE_MS = 1000;

interface CallOptions extends SendOptions {
  /** Send the session's token; off for calls of signed-out visitors. */
  asMember?: boolean;
  /** A token that this browser held until now: the call ends its session. */
  replaces?: string | undefined;
}

type ReadCall<Verb extends "get", Paths> = <Path extends PathOf<Verb, Paths>>(
  path: Path,
  ...last: Last<CallOptions & AddressOf<OperationOf<Verb, Path, Paths>>>
) => Promise<Answer<DataOf<OperationOf<Verb, Path, Paths>>>>;

/** A call with a body: null for an operation without one. */
export type WriteCall<Verb extends "post" | "put" | "patch" | "delete", Paths = ServerPaths> = <
  Path extends PathOf<Verb, Paths>,
>(
  path: Path,
  body: BodyOf<OperationOf<Verb, Path, Paths>>,
  ...last: Last<CallOptions & AddressOf<OperationOf<Verb, Path, Paths>>>
) => Promise<Answer<DataOf<OperationOf<Verb, Path, Paths>>>>;

/** Send a GET request, as the signed-in member by default. */
export const get: ReadCall<"get", ServerPaths> = (path, ...[options]) =>
  call("GET", path, null, options);

/** Send `body` with POST, as the signed-in member by default. */
export const post: WriteCall<"post"> = (path, body, ...[options]) =>
  call("POST", path, body, options);

/** Replace a resource with PUT, which is idempotent. */
export const put: WriteCall<"put"> = (path, body, ...[options]) =>
  againIfLost(() => call("PUT", path, body, options));

/** Change the fields in `body` with PATCH. */
export const patch: WriteCall<"patch"> = (path, body, ...[options]) =>
  call("PATCH", path, body, options);

/** Send a DELETE request, as the signed-in member. */
export const remove: WriteCall<"delete"> = (path, body, ...[options]) =>
  call("DELETE", path, body, options);

/** Download a file, as the signed-in member; fails like any call. */
export async function getFile(path: keyof ServerPaths, address: Address): Promise<Blob> {
  const token = session.read()?.userToken;
  const response = await send("GET", addressOf(path, address), token, null, {});
  if (!response.ok) {
    unwrap(response, await readBody(response, undefined), token);
  }
  try {
    const file = await response.blob();
    recordResponse();
    return file;
  } catch (error) {
    throw lostAnswer(error, undefined);
  }
}

/**
 * Retry once if no response came: phones often lose a single response, and the member would read an
 * error although the request succeeded.
 */
async function againIfLost<Answered>(attempt: () => Promise<Answered>): Promise<Answered> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof NoAnswer) || neverSent(error)) {
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    // Offline, a retry would report that nothing was sent.
    if (isOffline()) {
      throw error;
    }
    return attempt();
  }
}

/**
 * Make one call and unwrap its envelope.
 *
 * Throws:
 *   Refusal: the server refused; its sentence is the message.
 *   NoAnswer: no response came, or none that could be read. Offline, a write is not even tried.
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
  const sent = token ?? options.replaces;
  const response = await send(method, addressOf(path, options), sent, content, options);
  const body = await readBody(response, options.signal);
  return unwrap(response, body, token);
}

/** Handle any response: a rejected token, a refusal, or the data. */
export function unwrap<Data>(
  response: ResponseHead,
  body: unknown,
  token: string | undefined,
): Answer<Data> {
  // A response for one member is not given to the next, and does not end their session.
  if (token !== undefined && session.read()?.userToken !== token) {
    throw new Cancelled();
  }
  const envelope = envelopeOf(response, body);
  // A page of a proxy, with any status, does not end a session.
  if (token !== undefined && SIGNED_OUT_STATUSES.includes(response.status)) {
    void endSession("expired").then(() => leaveTo(paths.signIn));
    saveSignOutMessage(textIn(envelope, "message"));
  }
  return answerOf(response, envelope);
}
