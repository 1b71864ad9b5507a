import { screen } from "@testing-library/react";
import type { openApp } from "@/test/render";

type User = ReturnType<typeof openApp>["user"];

export interface SignUpPerson {
  club: string;
  firstName: string;
  lastName: string;
  phone: string;
  email: string;
  password: string;
}

export const ADA: SignUpPerson = {
  club: "Enyimba",
  firstName: "Ada",
  lastName: "Obi",
  phone: "08012345678",
  email: "ada@example.com",
  password: "Terrace-2026",
};

/** Press Continue, and wait for the step with this heading. */
export async function continueTo(user: User, heading: string): Promise<void> {
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await screen.findByRole("heading", { name: heading });
}

/** Choose a club in the first step. */
export async function chooseClub(user: User, name: string): Promise<void> {
  await user.click(await screen.findByRole("radio", { name }));
}

/** Fill in the second step and go on to the third. */
export async function fillDetails(user: User, person: SignUpPerson): Promise<void> {
  await user.type(screen.getByLabelText("First name"), person.firstName);
  await user.type(screen.getByLabelText("Last name"), person.lastName);
  await user.type(screen.getByLabelText("Phone"), person.phone);
  await user.type(screen.getByLabelText("Email"), person.email);
  await continueTo(user, "Password and terms");
}

/** Fill in the third step and submit the form. */
export async function fillPassword(user: User, password: string): Promise<void> {
  await user.type(screen.getByLabelText("Password"), password);
  await user.type(screen.getByLabelText("Confirm password"), password);
  await user.click(screen.getByRole("checkbox"));
  await user.click(screen.getByRole("button", { name: "Sign Up" }));
}

/** Walk through all steps of an open sign-up; `club` is null after a link that has chosen it. */
export async function fillSignUp(
  user: User,
  { club, ...person }: Omit<SignUpPerson, "club"> & { club: string | null } = ADA,
): Promise<void> {
  if (club === null) {
    await screen.findByRole("heading", { name: "Your details" });
  } else {
    await chooseClub(user, club);
    await continueTo(user, "Your details");
  }
  await fillDetails(user, { club: club ?? "", ...person });
  await fillPassword(user, person.password);
}
