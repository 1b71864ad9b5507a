import { queryOptions } from "@tanstack/react-query";
import type { Answer } from "@/api/calls";
import { get, post } from "@/api/client";
import { keys } from "@/api/query-keys";
import type { WaitingSignUp } from "@/features/auth/sign-in-api";

const asVisitor = { asMember: false };

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
  queryKey: keys.clubs,
  queryFn: async ({ signal }) => (await get("/api/v1/clubs", { ...asVisitor, signal })).data,
  staleTime: 10 * 60_000,
  meta: { errorToast: "Failed to fetch clubs." },
});

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
