import {
  type Address,
  addressOf,
  answerOf,
  envelopeOf,
  lostAnswer,
  readBody,
  type SendOptions,
  send,
} from "@/api/calls";
import type { components } from "@/api/schema.gen";
import { recordResponse } from "@/lib/device/online";
import { Cancelled, isOffline, NoAnswer, OFFLINE, Refusal } from "@/lib/live/failures";
import { showToast } from "@/lib/ui/toasts";
import {
  type BodyOf,
  type Call,
  factsOf,
  type Reading,
  type ResponseOf,
  splitCall,
  type Writing,
} from "~/api/calls";
import { requestFreshCode } from "~/lib/fresh-code";
import { expireSession, operatorSession } from "~/lib/operator-session";

const PROPOSED = 202;
const SESSION_OVER = 401;

export const SIGNED_OUT = "Your session at the back office has ended. Please sign in again.";

/** A proposal that waits for a second operator. */
export type Approval = components["schemas"]["PendingApproval"];

/** The outcome of a write: done, or proposed to a second operator. */
export type Outcome<C extends Call> =
  | { isProposed: false; message: string; data: ResponseOf<C> }
  | { isProposed: true; message: string; data: components["schemas"]["Proposed"] };

export interface WriteRequest<C extends Call> extends Address, Pick<SendOptions, "signal"> {
  body?: Partial<BodyOf<C>> | null;
  /** The idempotency key: the request is carried out once, however often it is sent. */
  key?: string;
}

/** Make a read-only call. */
export async function ask<C extends Reading>(
  call: C,
  address: Address & { signal?: AbortSignal } = {},
): Promise<ResponseOf<C>> {
  return (await exchange<ResponseOf<C>>(call, null, address)).data;
}

/**
 * Make a writing call; asks the operator for a code where the server requires a fresh one.
 *
 * Throws:
 *   Refusal: the server refused.
 *   NoAnswer: the outcome is unknown; the request can be repeated under its key.
 *   Cancelled: the operator entered no code.
 */
export async function perform<C extends Writing>(
  call: C,
  { body = null, key = crypto.randomUUID(), ...address }: WriteRequest<C> = {},
): Promise<Outcome<C>> {
  if (isOffline()) {
    throw new NoAnswer(OFFLINE);
  }
  const content = factsOf(call).form === true && body !== null ? formOf(body) : body;
  const tryIt = () =>
    exchange<never>(call, content, { ...address, idempotencyKey: key }).then((answer) => ({
      isProposed: answer.status === PROPOSED,
      message: answer.message,
      data: answer.data,
    }));
  try {
    return await tryIt();
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "fresh_code_needed")) {
      throw error;
    }
    await requestFreshCode();
    return tryIt();
  }
}

/** Download a file. */
export async function downloadFile(call: Reading, address: Address): Promise<Blob> {
  const [verb, path] = splitCall(call);
  const token = operatorSession.read()?.token;
  const response = await send(verb, addressOf(path, address), token, null, {});
  if (!response.ok) {
    open(response, await readBody(response, undefined), token);
  }
  try {
    const file = await response.blob();
    recordResponse();
    return file;
  } catch (error) {
    throw lostAnswer(error, undefined);
  }
}

async function exchange<Data>(call: Call, content: unknown, options: Address & SendOptions) {
  const [verb, path] = splitCall(call);
  const token = operatorSession.read()?.token;
  const response = await send(verb, addressOf(path, options), token, content, options);
  return open<Data>(response, await readBody(response, options.signal), token);
}

function open<Data>(response: Response, body: unknown, token: string | undefined) {
  if (operatorSession.read()?.token !== token) {
    throw new Cancelled();
  }
  const envelope = envelopeOf(response, body);
  if (token !== undefined && response.status === SESSION_OVER) {
    expireSession();
    showToast("info", SIGNED_OUT);
  }
  return answerOf<Data>(response, envelope);
}

function formOf(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined && value !== null) {
      form.append(name, value instanceof Blob ? value : String(value));
    }
  }
  return form;
}
