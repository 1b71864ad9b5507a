import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "@/api/calls";
import { get, post } from "@/api/client";
import { clubsQuery as allClubsQuery } from "@/api/clubs";
import { keys } from "@/api/query-keys";
import type { Club, Inviter } from "@/api/wire";
import type { WaitingSignUp } from "@/features/auth/sign-in-api";
import { storedValue } from "@/lib/device/storage";
import { parseVisitorAnswer, VISITOR_ANSWER, validClaim } from "@/lib/format/visitor-answer";
import { Refusal } from "@/lib/live/failures";

const asVisitor = { asMember: false };

/** How a code is sent. */
export type CodeChannel = "email" | "sms";

export interface SignUpValues {
  firstName: string;
  lastName: string;
  phone: string;
  email: string;
  club: string;
  password: string;
  confirmPassword: string;
  tnc: boolean;
  channel: CodeChannel;
}

/** How codes can be sent; by email alone until it is known. */
export const channelsQuery = queryOptions({
  queryKey: keys.codeChannels,
  queryFn: async ({ signal }): Promise<CodeChannel[]> =>
    (await get("/api/v1/signup", { ...asVisitor, signal })).data.channels,
  staleTime: 10 * 60_000,
});

/** The clubs of the sign-up form. */
export const clubsQuery = queryOptions({
  ...allClubsQuery,
  meta: { errorToast: "Failed to fetch clubs." },
});

/** The inviter behind a code; null for an unknown code, which is not an error. */
export function inviterQuery(code: string) {
  return queryOptions({
    queryKey: keys.inviter(code),
    queryFn: async ({ signal }): Promise<Inviter | null> => {
      const inPath = { name: code };
      try {
        return (await get("/api/v1/invites/code/{name}", { ...asVisitor, inPath, signal })).data;
      } catch (error) {
        if (error instanceof Refusal) {
          return null;
        }
        throw error;
      }
    },
    staleTime: 10 * 60_000,
    retry: false,
  });
}

const visitorAnswer = storedValue(VISITOR_ANSWER, parseVisitorAnswer);

/**
 * Sign up, optionally by an invite; the id in the response opens the activation page.
 *
 * A right answer on the public home page comes along: it becomes the first points.
 */
export async function signUp(
  values: SignUpValues,
  invite: string | null,
  challenge?: string,
): Promise<WaitingSignUp> {
  const { confirmPassword: _notSent, channel, ...fields } = values;
  const email = fields.email.trim();
  const claim = validClaim(visitorAnswer.read(), Date.now());
  const body = {
    ...fields,
    email,
    username: email,
    ...(channel === "email" ? {} : { channel }), // the default
    ...(invite === null ? {} : { invite }),
    ...(claim === null ? {} : { claim }),
  };
  return (await post("/api/v1/signup", body, { ...asVisitor, challenge })).data;
}

/** Activate a sign-up; the points are those of its answer on the public home page. */
export function activate(userId: string, code: string): Promise<Answer<{ points: number }>> {
  return post("/api/v1/signup/validate-token", { code, userId }, asVisitor);
}

export interface PendingSignUp {
  email: string;
  /** Its last digits. */
  phone: string;
  channel: CodeChannel;
  /** How a code can be sent again. */
  channels: CodeChannel[];
  club: Club;
}

/** Where a sign-up's code is sent; null once the sign-up has ended. */
export async function pendingSignUp(
  userId: string,
  signal?: AbortSignal,
): Promise<PendingSignUp | null> {
  const options = { ...asVisitor, inPath: { user_id: userId }, ...(signal ? { signal } : {}) };
  try {
    return (await get("/api/v1/signup/{user_id}", options)).data;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) {
      return null;
    }
    throw error;
  }
}

/** Correct the email of a sign-up; returns the seconds until another code may be requested. */
export async function correctEmail(
  userId: string,
  email: string,
  challenge?: string,
): Promise<number> {
  const options = { ...asVisitor, inPath: { user_id: userId }, challenge };
  const { data } = await post("/api/v1/signup/{user_id}/email", { email }, options);
  return data.retryAfter;
}

/** Correct the phone of a sign-up, which is sent a code by SMS; returns like `correctEmail`. */
export async function correctPhone(
  userId: string,
  phone: string,
  challenge?: string,
): Promise<number> {
  const body = { userId, channel: "sms" as const, phone };
  const { data } = await post("/api/v1/signup/resend-code", body, { ...asVisitor, challenge });
  return data.retryAfter;
}

/** Request another code; returns the seconds until the next may be requested. */
export async function resendCode(
  userId: string,
  channel: CodeChannel,
  challenge?: string,
): Promise<number> {
  const options = { ...asVisitor, challenge };
  const body = { userId, ...(channel === "email" ? {} : { channel }) };
  const { data } = await post("/api/v1/signup/resend-code", body, options);
  return data.retryAfter;
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
