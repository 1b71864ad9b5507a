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
import { Cancelled, isOffline, NoAnswer, OFFLINE, Refusal } from "@/lib/failures";
import { noteAnswer } from "@/lib/online";
import { showToast } from "@/lib/toasts";
import {
  type Answered,
  type Call,
  factsOf,
  type Reading,
  splitCall,
  type Taken,
  type Writing,
} from "~/api/calls";
import { askForFreshCode } from "~/lib/fresh-code";
import { expireSession, operatorSession } from "~/lib/operator-session";

const PROPOSED = 202;
const SESSION_OVER = 401;

export const SIGNED_OUT = "Your session at the back office has ended. Please sign in again.";

/** What waits for a second person. */
export type Approval = components["schemas"]["PendingApproval"];

/** What a write came to: done, or proposed to a second person. */
export type Outcome<C extends Call> =
  | { isProposed: false; message: string; data: Answered<C> }
  | { isProposed: true; message: string; data: components["schemas"]["Proposed"] };

export interface Wish<C extends Call> extends Address, Pick<SendOptions, "signal"> {
  body?: Partial<Taken<C>> | null;
  /** Names the wish, so that it is granted once however often it is sent. */
  key?: string;
}

/** Ask with a call that only reads. */
export async function ask<C extends Reading>(
  call: C,
  address: Address & { signal?: AbortSignal } = {},
): Promise<Answered<C>> {
  return (await exchange<Answered<C>>(call, null, address)).data;
}

/**
 * Let the server do something; asks the operator for a code where the server wants a fresh one.
 *
 * Throws:
 *   Refusal: the server said no.
 *   NoAnswer: nobody knows what became of it; the same wish under its key may be sent again.
 *   Cancelled: the operator gave no code.
 */
export async function perform<C extends Writing>(
  call: C,
  { body = null, key = crypto.randomUUID(), ...address }: Wish<C> = {},
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
    await askForFreshCode();
    return tryIt();
  }
}

/** Ask for a file. */
export async function askForFile(call: Reading, address: Address): Promise<Blob> {
  const [verb, path] = splitCall(call);
  const token = operatorSession.read()?.token;
  const response = await send(verb, addressOf(path, address), token, null, {});
  if (!response.ok) {
    open(response, await readBody(response, undefined), token);
  }
  try {
    const file = await response.blob();
    noteAnswer();
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
