import { queryOptions } from "@tanstack/react-query";
import { type Answer, get, post } from "@/api/client";
import { ApiError } from "@/lib/api-error";
import { type SessionUser, session } from "@/lib/session";
import { forgetMember, isRecord } from "@/lib/storage";

const asVisitor = { asMember: false };
const DEFAULT_RETRY_SECONDS = 60;

export interface SignUpValues {
  firstName: string;
  lastName: string;
  phone: string;
  email: string;
  club: string;
  password: string;
  confirmPassword: string;
  tnc: boolean;
}

/** The clubs of the sign-up form. */
export const clubsQuery = queryOptions({
  queryKey: ["clubs"],
  queryFn: async ({ signal }) => (await get("/api/v1/clubs", { ...asVisitor, signal })).data,
  staleTime: 10 * 60_000,
  meta: { errorToast: "Failed to fetch clubs." },
});

/** Sign in and store the session user: the user object plus `userToken`. */
export async function signIn(username: string, password: string): Promise<SessionUser> {
  const { data } = await post(
    "/api/v1/sign-in/username-password",
    { username, password },
    asVisitor,
  );
  const user: SessionUser = { ...data.user, userToken: data.access_token };
  session.write(user);
  return user;
}

/** A sign-up that waits for its code; `retryAfter` is 0 when the code was just sent. */
export interface WaitingSignUp {
  id: string;
  retryAfter: number;
}

/** The sign-up that waits for its activation code, when that is why sign-in was refused. */
export function signUpToActivate(error: unknown): WaitingSignUp | null {
  if (!(error instanceof ApiError && error.code === "not_activated" && isRecord(error.data))) {
    return null;
  }
  const { id, retryAfter } = error.data;
  return typeof id === "string"
    ? { id, retryAfter: typeof retryAfter === "number" ? retryAfter : 0 }
    : null;
}

/** Sign up; the answer's id opens the activation page. */
export async function signUp(values: SignUpValues): Promise<WaitingSignUp> {
  const { confirmPassword: _notSent, ...fields } = values;
  const body = { ...fields, email: fields.email.trim(), username: fields.email.trim() };
  return (await post("/api/v1/signup", body, asVisitor)).data;
}

export function activate(userId: string, code: string): Promise<Answer<unknown>> {
  return post("/api/v1/signup/validate-token", { code, userId }, asVisitor);
}

/** Ask for another code; returns the seconds until the next may be asked for. */
export async function resendCode(userId: string): Promise<number> {
  const { data } = await post("/api/v1/signup/resend-code", { userId }, asVisitor);
  return data.retryAfter;
}

/** Seconds to wait that a refused request for a code names. */
export function secondsToWait(error: unknown): number {
  if (!(error instanceof ApiError)) {
    return 0;
  }
  const { data, retryAfterSeconds } = error;
  if (isRecord(data) && typeof data["retryAfter"] === "number") {
    return data["retryAfter"];
  }
  return error.status === 429 ? (retryAfterSeconds ?? DEFAULT_RETRY_SECONDS) : 0;
}

/** Seconds until the next sign-in: tries are used up, or the server cannot take more just now. */
export function secondsToNextSignIn(error: unknown): number {
  return isOutage(error) ? (error.retryAfterSeconds ?? 0) : secondsToWait(error);
}

/** Whether the server could not decide; the same sign-in may succeed later. */
export function isOutage(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 503;
}

/** Have a code mailed; returns what the reset needs, the same for any e-mail. */
export async function forgotPassword(email: string): Promise<string> {
  return (await post("/api/v1/password/forgot", { email }, asVisitor)).data.userId;
}

export function resetPassword(
  userId: string,
  code: string,
  password: string,
): Promise<Answer<unknown>> {
  return post("/api/v1/password/reset", { userId, code, password }, asVisitor);
}

/** Forget the member at once, and tell the server while the page is left already. */
export function signOut(): void {
  post("/api/v1/sign-out", null, { keepalive: true }).catch(() => undefined);
  session.clear();
  forgetMember();
}
