import { expect, test } from "vitest";
import type { SignUpValues } from "@/features/auth/api";
import { codeFromTyping, groupClubs, validateReset, validateSignUp } from "@/features/auth/rules";
import { validateSignIn } from "@/features/auth/sign-in-rules";
import { aClub } from "@/test/factories";

const complete: SignUpValues = {
  firstName: "Ada",
  lastName: "Obi",
  phone: "08012345678",
  email: "ada@example.com",
  club: "club-1",
  password: "Terrace-2026",
  confirmPassword: "Terrace-2026",
  tnc: true,
  channel: "email",
};

test("sign-in names what is missing or wrong", () => {
  expect(validateSignIn({ username: "", password: "  " })).toEqual({
    username: "Username is required",
    password: "Password is required",
  });
  expect(validateSignIn({ username: "ada", password: "x" })).toEqual({
    username: "Invalid username input",
  });
  expect(validateSignIn({ username: "ada@example.com", password: "x" })).toEqual({});
});

test("an empty sign-up has every sentence of the specification", () => {
  const empty = { ...complete, firstName: "", lastName: "", club: "", email: "", phone: "" };

  expect(validateSignUp({ ...empty, password: "", confirmPassword: "", tnc: false })).toEqual({
    firstName: "First name is required",
    lastName: "Last name is required",
    club: "Club is required",
    email: "Email is required",
    phone: "Phone is required",
    password: "Password is required",
    confirmPassword: "Confirm Password is required",
    tnc: "Please accept the terms and conditions",
  });
});

test("sign-up refuses a wrong email, a short phone and another confirmation", () => {
  const wrong = { ...complete, email: "ada@", phone: "080123456", confirmPassword: "other" };

  expect(validateSignUp(wrong)).toEqual({
    email: "Invalid email input",
    phone: "Phone number must be up to eleven numbers",
    confirmPassword: "Password mismatch",
  });
});

test("a complete sign-up passes, a phone of exactly ten included", () => {
  expect(validateSignUp({ ...complete, phone: "8012345678" })).toEqual({});
});

test("a new password needs the whole code and eight characters", () => {
  expect(validateReset({ code: "12", password: "short", confirmPassword: "short" })).toEqual({
    code: "Enter the 6 digits of the code",
    password: "Password must be at least 8 characters",
  });
});

test("a pasted code loses its spaces and everything behind the sixth character", () => {
  expect(codeFromTyping(" 123 456 7")).toBe("123456");
});

test("clubs are grouped A to Z, those without a group last under Others", () => {
  const clubs = [
    aClub("Street Ballers", null),
    aClub("Remo Stars", "NPFL"),
    aClub("Chelsea", "Premier League"),
    aClub("Enyimba", "NPFL"),
    aClub("Arsenal", "Premier League"),
  ];

  const groups = groupClubs(clubs).map(({ name, clubs: members }) => [
    name,
    members.map((club) => club.name),
  ]);

  expect(groups).toEqual([
    ["NPFL", ["Enyimba", "Remo Stars"]],
    ["Premier League", ["Arsenal", "Chelsea"]],
    ["Others", ["Street Ballers"]],
  ]);
});
