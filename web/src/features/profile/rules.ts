import type { Profile } from "@/api/wire";
import { dayOf } from "@/lib/format/dates";
import type { FieldErrors } from "@/lib/ui/use-form";

export const ACCOUNT_DIGITS = 10;
const MIN_PHONE_LENGTH = 10; // the message says eleven: spec 9
const YOUNGEST_YEARS = 13; // contract B-78
const BAD_PHONE = "Phone number must be up to eleven numbers";
export const NOT_A_BIRTHDAY = "Please enter a valid date of birth";

/** The form's fields, flat; empty if not provided. */
export interface ProfileValues {
  firstName: string;
  lastName: string;
  gender: string;
  phone: string;
  dateOfBirth: string;
  nextOfKinsName: string;
  nextOfKinsPhoneNumber: string;
  nextOfKinsAddress: string;
  bankCode: string;
  bankName: string;
  accountNumber: string;
}

/** The form's values for a record. */
export function valuesOf(profile: Profile): ProfileValues {
  return {
    firstName: profile.firstName,
    lastName: profile.lastName,
    gender: profile.gender ?? "",
    phone: profile.phone,
    dateOfBirth: profile.dateOfBirth ?? "",
    ...profile.nextOfKinsDetails,
    ...profile.settlementDetails,
  };
}

/** The body to send: the fields that a member may change, and no other. */
export function recordOf(values: ProfileValues) {
  const { nextOfKinsName, nextOfKinsPhoneNumber, nextOfKinsAddress, ...others } = values;
  const { bankCode, bankName, accountNumber, ...personal } = others;
  return {
    ...personal,
    nextOfKinsDetails: { nextOfKinsName, nextOfKinsPhoneNumber, nextOfKinsAddress },
    settlementDetails: { bankCode, bankName, accountNumber },
  };
}

/** Whether the form differs from the record. */
export function differs(values: ProfileValues, saved: ProfileValues): boolean {
  return Object.entries(saved).some(
    ([name, value]) => values[name as keyof ProfileValues] !== value,
  );
}

/** The server's own rules, checked before the request; the server checks them again. */
export function validateProfile(values: ProfileValues): FieldErrors<ProfileValues> {
  const found: [keyof ProfileValues, string | undefined][] = [
    ["firstName", missing(values.firstName, "First name is required")],
    ["lastName", missing(values.lastName, "Last name is required")],
    ["phone", missing(values.phone, "Phone is required") ?? phoneError(values.phone)],
    ["dateOfBirth", birthdayError(values.dateOfBirth, dayOf(Date.now()))],
    ["nextOfKinsPhoneNumber", phoneError(values.nextOfKinsPhoneNumber)],
    ["accountNumber", accountError(values.accountNumber)],
  ];
  return Object.fromEntries(found.filter(([, sentence]) => sentence !== undefined));
}

/** Why a date of birth is invalid on the day `today`, both as `2026-11-21`. */
export function birthdayError(date: string, today: string): string | undefined {
  if (date > today) {
    return NOT_A_BIRTHDAY;
  }
  return date > youngestBirthday(today)
    ? `You must be at least ${YOUNGEST_YEARS} years old`
    : undefined;
}

/** The latest allowed date of birth on the day `today`. */
export function youngestBirthday(today: string): string {
  return `${Number(today.slice(0, 4)) - YOUNGEST_YEARS}${today.slice(4)}`;
}

export function accountError(number: string): string | undefined {
  const fits = number === "" || number.length === ACCOUNT_DIGITS;
  return fits ? undefined : "An account number has ten digits";
}

/** A typed or pasted account number: its first ten digits. */
export function accountFromTyping(text: string): string {
  return text.replace(/\D/g, "").slice(0, ACCOUNT_DIGITS);
}

/** The server names nested fields `settlementDetails.bankCode`; the form's is `bankCode`. */
export function formFields(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, sentence]) => [
      name.slice(name.lastIndexOf(".") + 1),
      sentence,
    ]),
  );
}

interface ProfileItem {
  name: string;
  isProvided: boolean;
}

/** The eight items of a complete profile, each provided or not. */
export function profileItems(values: ProfileValues, hasPicture: boolean): ProfileItem[] {
  const given = (...names: (keyof ProfileValues)[]) =>
    names.every((name) => values[name].trim() !== "");
  return [
    { name: "your picture", isProvided: hasPicture },
    { name: "your names", isProvided: given("firstName", "lastName") },
    { name: "gender", isProvided: given("gender") },
    { name: "phone", isProvided: given("phone") },
    { name: "date of birth", isProvided: given("dateOfBirth") },
    { name: "next of kin", isProvided: given("nextOfKinsName", "nextOfKinsPhoneNumber") },
    { name: "their address", isProvided: given("nextOfKinsAddress") },
    { name: "bank account", isProvided: given("bankCode", "bankName", "accountNumber") },
  ];
}

function missing(text: string, sentence: string): string | undefined {
  return text.trim() === "" ? sentence : undefined;
}

function phoneError(phone: string): string | undefined {
  const typed = phone.trim();
  return typed !== "" && typed.length < MIN_PHONE_LENGTH ? BAD_PHONE : undefined;
}
