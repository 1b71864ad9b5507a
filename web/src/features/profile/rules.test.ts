import { expect, test } from "vitest";
import {
  accountFromTyping,
  birthdayError,
  differs,
  formFields,
  profileItems,
  recordOf,
  validateProfile,
  valuesOf,
} from "@/features/profile/rules";
import { aProfile, aWholeProfile } from "@/test/profile";

const whole = valuesOf(aWholeProfile());

test("a record fills the form, and what was not told is empty", () => {
  expect(valuesOf(aProfile())).toEqual({
    firstName: "Ada Grace",
    lastName: "Obi",
    gender: "",
    phone: "+2348012345678",
    dateOfBirth: "",
    nextOfKinsName: "",
    nextOfKinsPhoneNumber: "",
    nextOfKinsAddress: "",
    bankCode: "",
    bankName: "",
    accountNumber: "",
  });
});

test("what goes out are the fields a member may change, nested as the record has them", () => {
  expect(recordOf(whole)).toEqual({
    firstName: "Ada Grace",
    lastName: "Obi",
    gender: "female",
    phone: "+2348012345678",
    dateOfBirth: "1999-05-14",
    nextOfKinsDetails: aWholeProfile().nextOfKinsDetails,
    settlementDetails: aWholeProfile().settlementDetails,
  });
});

test("a form differs from its record only while a field does", () => {
  expect(differs({ ...whole }, whole)).toBe(false);
  expect(differs({ ...whole, bankName: "A. G. Obi" }, whole)).toBe(true);
});

test.each([
  ["firstName", " ", "First name is required"],
  ["lastName", "", "Last name is required"],
  ["phone", "", "Phone is required"],
  ["phone", "080123456", "Phone number must be up to eleven numbers"],
  ["nextOfKinsPhoneNumber", "0803", "Phone number must be up to eleven numbers"],
  ["accountNumber", "012345678", "An account number has ten digits"],
  ["dateOfBirth", "2999-01-01", "Please enter a valid date of birth"],
])("%s as %o: %s", (name, value, sentence) => {
  expect(validateProfile({ ...whole, [name]: value })).toEqual({ [name]: sentence });
});

test("a whole form passes, and so does one that tells only what must be told", () => {
  expect(validateProfile(whole)).toEqual({});
  expect(validateProfile(valuesOf(aProfile()))).toEqual({});
});

test("a member is thirteen or older, on the birthday itself too", () => {
  expect(birthdayError("2013-11-21", "2026-11-21")).toBeUndefined();
  expect(birthdayError("2013-11-22", "2026-11-21")).toBe("You must be at least 13 years old");
  expect(birthdayError("2011-03-01", "2024-02-29")).toBe("You must be at least 13 years old");
  expect(birthdayError("2026-11-22", "2026-11-21")).toBe("Please enter a valid date of birth");
  expect(birthdayError("", "2026-11-21")).toBeUndefined();
});

test("an account number keeps ten digits of whatever is typed or pasted", () => {
  expect(accountFromTyping("0123 456-789 012")).toBe("0123456789");
});

test("the server's names of nested fields become the form's", () => {
  expect(
    formFields({
      phone: "a",
      "settlementDetails.bankCode": "b",
      "nextOfKinsDetails.nextOfKinsPhoneNumber": "c",
    }),
  ).toEqual({ phone: "a", bankCode: "b", nextOfKinsPhoneNumber: "c" });
});

test("eight things make a profile whole, and half a bank account is not told", () => {
  const countProvided = (values: typeof whole, hasPicture: boolean) =>
    profileItems(values, hasPicture).filter((item) => item.isProvided).length;

  expect(countProvided(valuesOf(aProfile()), false)).toBe(2);
  expect(countProvided({ ...whole, accountNumber: "" }, false)).toBe(6);
  expect(countProvided(whole, true)).toBe(8);
});
