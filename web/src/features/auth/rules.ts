import type { Club } from "@/api/wire";
import type { SignUpValues } from "@/features/auth/api";
import { emailError, missing, withoutEmpty } from "@/features/auth/sign-in-rules";
import type { FieldErrors } from "@/lib/ui/use-form";

export const CODE_LENGTH = 6;
const MIN_PHONE_LENGTH = 10; // the message says eleven: spec 9
const MIN_PASSWORD_LENGTH = 8; // the server's rule, checked before the request
export const MAX_PHONE_INPUT_LENGTH = 20; // with the spaces that people type

/** The fields of each step, in the order of the screen. */
export const SIGN_UP_STEPS = [
  ["club"],
  ["firstName", "lastName", "phone", "email", "channel"],
  ["password", "confirmPassword", "tnc"],
] as const satisfies readonly (readonly (keyof SignUpValues)[])[];
export const LAST_STEP = SIGN_UP_STEPS.length - 1;

/** The errors of one step's fields. */
export function validateStep(values: SignUpValues, step: number): FieldErrors<SignUpValues> {
  const names: readonly string[] = SIGN_UP_STEPS[step] ?? [];
  const errors = Object.entries(validateSignUp(values)).filter(([name]) => names.includes(name));
  return Object.fromEntries(errors) as FieldErrors<SignUpValues>;
}

/** The first step with one of these fields; the last one if no step has any. */
export function stepOf(fields: readonly string[]): number {
  const found = SIGN_UP_STEPS.findIndex((names) => names.some((name) => fields.includes(name)));
  return found === -1 ? LAST_STEP : found;
}

/** The first step that is not complete. */
export function reachableStep(values: SignUpValues): number {
  return stepOf(Object.keys(validateSignUp(values)));
}

export function validateSignUp(values: SignUpValues): FieldErrors<SignUpValues> {
  return withoutEmpty<SignUpValues>({
    firstName: missing(values.firstName, "First name is required"),
    lastName: missing(values.lastName, "Last name is required"),
    club: missing(values.club, "Club is required"),
    email: emailError(values.email, "Email is required", "Invalid email input"),
    phone: phoneError(values.phone),
    password: missing(values.password, "Password is required"),
    confirmPassword: confirmError(values.password, values.confirmPassword),
    tnc: values.tnc ? undefined : "Please accept the terms and conditions",
  });
}

export interface ResetValues {
  code: string;
  password: string;
  confirmPassword: string;
}

export function validateReset(values: ResetValues): FieldErrors<ResetValues> {
  const short = values.password.length < MIN_PASSWORD_LENGTH;
  return withoutEmpty<ResetValues>({
    code: values.code.length === CODE_LENGTH ? undefined : "Enter the 6 digits of the code",
    password:
      missing(values.password, "Password is required") ??
      (short ? "Password must be at least 8 characters" : undefined),
    confirmPassword: confirmError(values.password, values.confirmPassword),
  });
}

/** A typed or pasted code: without spaces, six characters at most. */
export function codeFromTyping(text: string): string {
  return text.replace(/\s+/g, "").slice(0, CODE_LENGTH);
}

interface ClubGroup {
  name: string;
  clubs: Club[];
}

/** Clubs by group, groups and clubs A to Z, those without one last as Others. */
export function groupClubs(clubs: Club[]): ClubGroup[] {
  const groups = new Map<string, Club[]>();
  for (const club of clubs) {
    const name = club.cc_name?.trim() || "Others";
    groups.set(name, [...(groups.get(name) ?? []), club]);
  }
  return [...groups.entries()]
    .map(([name, members]) => ({ name, clubs: [...members].sort(byName) }))
    .sort((a, b) => othersLast(a.name) - othersLast(b.name) || byName(a, b));
}

/** The clubs whose name or group matches; all of them while nothing is typed. */
export function matchingClubs(clubs: Club[], typed: string): Club[] {
  const wanted = plain(typed.trim());
  return clubs.filter(({ name, cc_name }) => plain(`${name} ${cc_name ?? ""}`).includes(wanted));
}

/** Without case and accents. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name.localeCompare(b.name, "en");
}

function othersLast(name: string): number {
  return name === "Others" ? 1 : 0;
}

export function phoneError(phone: string): string | undefined {
  const short = phone.trim().length < MIN_PHONE_LENGTH;
  return (
    missing(phone, "Phone is required") ??
    (short ? "Phone number must be up to eleven numbers" : undefined)
  );
}

function confirmError(password: string, confirmation: string): string | undefined {
  return (
    missing(confirmation, "Confirm Password is required") ??
    (password === confirmation ? undefined : "Password mismatch")
  );
}
