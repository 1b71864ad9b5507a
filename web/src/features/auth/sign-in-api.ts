import { post } from "@/api/client";
import { isRecord } from "@/lib/device/storage";
import { Refusal } from "@/lib/live/failures";
import { beginSession, type SessionUser, session } from "@/lib/session/session";

const DEFAULT_RETRY_SECONDS = 60;

/**
 * Sign in and store the session user: the user object plus `userToken`.
 *
 * A member signed in here until now, in another tab, is signed out, on the server too.
 */
export async function signIn(
  username: string,
  password: string,
  challenge?: string,
): Promise<SessionUser> {
  const { data } = await post(
    "/api/v1/sign-in/username-password",
    { username, password },
    { asMember: false, replaces: session.read()?.userToken, challenge },
  );
  const user: SessionUser = { ...data.user, userToken: data.access_token };
  await beginSession(user);
  return user;
}

/** A sign-up that waits for its code; `retryAfter` is 0 if the code was just sent. */
export interface WaitingSignUp {
  id: string;
  retryAfter: number;
}

/** The pending sign-up, if that is why sign-in was refused. */
export function signUpToActivate(error: unknown): WaitingSignUp | null {
  if (!(error instanceof Refusal && error.code === "not_activated" && isRecord(error.data))) {
    return null;
  }
  const { id, retryAfter } = error.data;
  return typeof id === "string"
    ? { id, retryAfter: typeof retryAfter === "number" ? retryAfter : 0 }
    : null;
}

/** The wait in seconds that a refused request for a code states. */
export function secondsToWait(error: unknown): number {
  if (!(error instanceof Refusal)) {
    return 0;
  }
  const { data, retryAfterSeconds } = error;
  if (isRecord(data) && typeof data["retryAfter"] === "number") {
    return data["retryAfter"];
  }
  return error.status === 429 ? (retryAfterSeconds ?? DEFAULT_RETRY_SECONDS) : 0;
}

/** Seconds until the next sign-in: attempts are used up, or the server is busy. */
export function secondsToNextSignIn(error: unknown): number {
  return isOutage(error) ? (error.retryAfterSeconds ?? 0) : secondsToWait(error);
}

/** Whether the server could not decide; the same sign-in may succeed later. */
export function isOutage(error: unknown): error is Refusal {
  return error instanceof Refusal && error.status === 503;
}
