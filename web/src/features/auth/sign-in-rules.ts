import { SIGN_IN_MAX_LENGTHS } from "@/api/max-lengths.gen";
import type { FieldErrors } from "@/lib/ui/use-form";

export const MAX_EMAIL_LENGTH = SIGN_IN_MAX_LENGTHS.username;
/**
 * Far above the server's 128: a field that cuts a pasted password short would lock its owner out.
 */
export const MAX_PASSWORD_INPUT_LENGTH = SIGN_IN_MAX_LENGTHS.password;
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export interface SignInValues {
  username: string;
  password: string;
}

/** Whether a text has the form of an e-mail address. */
export function isEmail(text: string): boolean {
  return EMAIL.test(text.trim());
}

export function validateSignIn(values: SignInValues): FieldErrors<SignInValues> {
  return withoutEmpty<SignInValues>({
    username: emailError(values.username, "Username is required", "Invalid username input"),
    password: values.password.trim() === "" ? "Password is required" : undefined,
  });
}

export function missing(text: string, sentence: string): string | undefined {
  return text.trim() === "" ? sentence : undefined;
}

export function emailError(text: string, empty: string, invalid: string): string | undefined {
  return missing(text, empty) ?? (isEmail(text) ? undefined : invalid);
}

export function withoutEmpty<Values>(
  errors: Partial<Record<keyof Values & string, string | undefined>>,
): FieldErrors<Values> {
  return Object.fromEntries(
    Object.entries(errors).filter(([, sentence]) => sentence !== undefined),
  ) as FieldErrors<Values>;
}
