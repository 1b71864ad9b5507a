import { queryOptions } from "@tanstack/react-query";
import { type Answer, get, post } from "@/api/client";
import { ApiError } from "@/lib/api-error";
import { type SessionUser, session } from "@/lib/session";
import { isRecord } from "@/lib/storage";

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

/** The id of an account that waits for its activation code, when that is why sign-in was refused. */
export function accountToActivate(error: unknown): string | null {
  if (error instanceof ApiError && error.code === "not_activated" && isRecord(error.data)) {
    return typeof error.data["id"] === "string" ? error.data["id"] : null;
  }
  return null;
}

/** Create the account; the answer's id opens the activation page. */
export async function signUp(values: SignUpValues): Promise<string> {
  const { confirmPassword: _notSent, ...fields } = values;
  const body = { ...fields, email: fields.email.trim(), username: fields.email.trim() };
  return (await post("/api/v1/signup", body, asVisitor)).data.id;
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

/** Have a code mailed; returns the id that the reset needs (a made-up one for unknown e-mails). */
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

/** Tell the server that this session is over; the browser forgets it whatever the answer. */
export async function signOut(): Promise<void> {
  await post("/api/v1/sign-out", null).catch(() => undefined);
  session.clear();
}
