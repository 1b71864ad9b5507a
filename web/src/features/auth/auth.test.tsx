import { fireEvent, screen, waitFor } from "@testing-library/react";
import { HttpResponse } from "msw";
import { expect, test, vi } from "vitest";
import { session } from "@/lib/session/session";
import { aClub, aUser } from "@/test/factories";
import { openApp } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";
import { ADA, continueTo, fillDetails, fillPassword, fillSignUp } from "@/test/sign-up";

const SIGN_IN = "/api/v1/sign-in/username-password";

async function fillSignIn(user: ReturnType<typeof openApp>["user"], password = "Terrace-2026") {
  await user.type(screen.getByLabelText("Email"), "ada@example.com");
  await user.type(screen.getByLabelText("Password"), password);
  await user.click(screen.getByRole("button", { name: "Login" }));
}

function serveDashboard() {
  serve("get", "/api/v1/*", () => refusal(503, "unavailable", "Not now."));
}

test("signing in stores the user with the token and opens the dashboard", async () => {
  const requests = serve("post", SIGN_IN, () =>
    envelope(200, { user: aUser(), access_token: "new-token" }),
  );
  serveDashboard();
  const { user } = openApp("/signin");
  expect(screen.getByText("Get Connected Get Rewarded")).toBeInTheDocument();

  await fillSignIn(user);

  expect(await screen.findByRole("heading", { level: 1, name: "Dashboard" })).toBeInTheDocument();
  expect(requests[0]?.body).toEqual({ username: "ada@example.com", password: "Terrace-2026" });
  expect(requests[0]?.headers.get("Authorization")).toBeNull();
  expect(JSON.parse(localStorage.getItem("user") ?? "{}")).toMatchObject({
    id: "member-1",
    userToken: "new-token",
  });
});

test("the button says Loading... while the answer is on its way", async () => {
  let answer: (response: Response) => void = () => undefined;
  const sent = serve("post", SIGN_IN, () => new Promise<Response>((resolve) => (answer = resolve)));
  const { user } = openApp("/signin");

  await fillSignIn(user);
  const button = await screen.findByRole("button", { name: "Loading..." });
  expect(button).toHaveAttribute("aria-disabled", "true");
  await user.click(button);
  await user.type(screen.getByLabelText("Email"), "{Enter}");
  await waitFor(() => expect(sent).toHaveLength(1));

  answer(refusal(400, "wrong_credentials", "Wrong email or password."));
  expect(await screen.findByRole("button", { name: "Login" })).toBeEnabled();
});

test("a refused sign-in shows the server's message as an error toast and stores nothing", async () => {
  serve("post", SIGN_IN, () => refusal(400, "wrong_credentials", "Wrong email or password."));
  const { user } = openApp("/signin");

  await fillSignIn(user);

  expect(await screen.findByRole("alert")).toHaveTextContent("Wrong email or password.");
  expect(session.read()).toBeNull();
});

test("nothing is sent while a field does not pass, and the first one gets the focus", async () => {
  const { user } = openApp("/signin");

  await user.click(screen.getByRole("button", { name: "Login" }));

  expect(screen.getByText("Username is required")).toBeInTheDocument();
  expect(screen.getByText("Password is required")).toBeInTheDocument();
  expect(screen.getByLabelText("Email")).toHaveFocus();
});

test("an account that is not active yet is taken to its activation page", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const data = { id: "member-9", retryAfter: 30 };
  serve("post", SIGN_IN, () =>
    refusal(409, "not_activated", "Please activate your account.", { data }),
  );
  const { user } = openApp("/signin");

  await fillSignIn(user);

  expect(await screen.findByRole("heading", { name: "OTP Validation" })).toBeInTheDocument();
  expect(screen.getByRole("timer")).toHaveTextContent("You can ask for a new code in 0:30.");
  expect(screen.getByText("Please activate your account.")).toBeInTheDocument();
});

test("the errors of signing in stay behind on its screen", async () => {
  serve("get", "/api/v1/clubs", () => envelope(200, []));
  serve("post", SIGN_IN, () => refusal(400, "wrong_credentials", "Wrong email or password."));
  const { user } = openApp("/signin");
  await fillSignIn(user);
  expect(await screen.findByRole("alert")).toHaveTextContent("Wrong email or password.");

  await user.click(screen.getByRole("link", { name: "Sign Up" }));

  expect(await screen.findByRole("heading", { name: "Sign Up" })).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByText("Wrong email or password.")).toBeNull());
});

test("too many tries show when the next one is allowed", async () => {
  serve("post", SIGN_IN, () =>
    HttpResponse.json(
      { status: 429, message: "Too many tries.", data: null, error: { code: "rate_limited" } },
      { status: 429, headers: { "Retry-After": "90" } },
    ),
  );
  const { user } = openApp("/signin");

  await fillSignIn(user);

  expect(await screen.findByRole("timer")).toHaveTextContent("1:30");
  expect(screen.getByRole("button", { name: "Login" })).toBeDisabled();
});

test("a rush of sign-ins is no fault of the member's, who is told when to try again", async () => {
  serve("post", SIGN_IN, () =>
    HttpResponse.json(
      {
        status: 503,
        message: "We are having trouble right now. Please try again in a moment.",
        data: null,
        error: { code: "unavailable" },
      },
      { status: 503, headers: { "Retry-After": "5" } },
    ),
  );
  const { user } = openApp("/signin");

  await fillSignIn(user);

  expect(await screen.findByRole("timer")).toHaveTextContent(
    /^We could not sign you in just now\. You can try again in 0:0[45]\.$/,
  );
  expect(screen.getByRole("alert")).toHaveTextContent("We are having trouble right now.");
  expect(screen.getByRole("button", { name: "Login" })).toBeDisabled();
  expect(screen.getByLabelText("Password")).not.toHaveValue("");
});

test("passwords may be pasted and filled in by a manager", async () => {
  const PASTED = " from a manager: ọ̀rọ̀ aṣínà ";
  serve("get", "/api/v1/clubs", () => envelope(200, [aClub("Enyimba", "NPFL")]));
  const seen = serve("post", SIGN_IN, () => refusal(400, "wrong_credentials", "No."));
  const paste = async (user: ReturnType<typeof openApp>["user"], label: string) => {
    const field = screen.getByLabelText(label);
    await user.click(field);
    await user.paste(PASTED);
    expect(field).toHaveValue(PASTED);
    return field;
  };

  const signIn = openApp("/signin");
  expect(screen.getByLabelText("Email")).toHaveAttribute("autocomplete", "username");
  const password = await paste(signIn.user, "Password");
  expect(password).toHaveAttribute("autocomplete", "current-password");
  expect(password.closest("form")).not.toBeNull();
  // A password manager sets the value and fires one event, without keys.
  fireEvent.input(screen.getByLabelText("Email"), { target: { value: "ada@example.com" } });
  fireEvent.input(password, { target: { value: "Filled-in-2026" } });
  await signIn.user.click(screen.getByRole("button", { name: "Login" }));
  await waitFor(() =>
    expect(seen[0]?.body).toEqual({ username: "ada@example.com", password: "Filled-in-2026" }),
  );
  signIn.unmount();

  const { user } = openApp("/signup");
  await user.click(await screen.findByRole("radio", { name: "Enyimba" }));
  await continueTo(user, "Your details");
  await fillDetails(user, ADA);
  for (const label of ["Password", "Confirm password"]) {
    expect(await paste(user, label)).toHaveAttribute("autocomplete", "new-password");
  }
});

test("the password can be shown and hidden", async () => {
  const { user } = openApp("/signin");
  const toggle = screen.getByRole("button", { name: "Show password" });

  await user.click(toggle);
  expect(screen.getByLabelText("Password")).toHaveAttribute("type", "text");

  await user.click(toggle);
  expect(screen.getByLabelText("Password")).toHaveAttribute("type", "password");
});

test("sign-up sends the account without the confirmation and opens the activation page", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  serve("get", "/api/v1/clubs", () => envelope(200, [aClub("Enyimba", "NPFL")]));
  const requests = serve("post", "/api/v1/signup", () =>
    envelope(201, { id: "member-2", retryAfter: 0 }),
  );
  const { user } = openApp("/signup");

  await fillSignUp(user);

  expect(await screen.findByRole("heading", { name: "OTP Validation" })).toBeInTheDocument();
  expect(screen.getByText(/^We sent the code to/)).toHaveTextContent("ada@example.com");
  expect(screen.getByRole("timer")).toHaveTextContent("You can request a new code in 1:00.");
  expect(requests[0]?.body).toEqual({
    firstName: "Ada",
    lastName: "Obi",
    phone: "08012345678",
    email: "ada@example.com",
    username: "ada@example.com",
    club: "club-Enyimba",
    password: "Terrace-2026",
    tnc: true,
  });
});

test("a sign-up whose code is held back says so, and when it can be sent", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  serve("get", "/api/v1/clubs", () => envelope(200, [aClub("Enyimba", "NPFL")]));
  serve("post", "/api/v1/signup", () => envelope(201, { id: "member-2", retryAfter: 45 }));
  const { user } = openApp("/signup");

  await fillSignUp(user);

  expect(await screen.findByRole("timer")).toHaveTextContent(
    "Your code has not been sent yet. You can ask for it in 0:45.",
  );
  expect(screen.queryByText(/We sent the code/)).toBeNull();
});

test("a password that is easy to guess is told under its field", async () => {
  const sentence = "This password is too easy to guess.";
  serve("get", "/api/v1/clubs", () => envelope(200, [aClub("Enyimba", "NPFL")]));
  serve("post", "/api/v1/signup", () =>
    refusal(422, "validation_failed", sentence, { fields: { password: sentence } }),
  );
  const { user } = openApp("/signup");

  await fillSignUp(user);

  await waitFor(() =>
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription(
      expect.stringContaining(sentence),
    ),
  );
});

test("each step of sign-up goes on once its rules pass, and nothing is sent before", async () => {
  serve("get", "/api/v1/clubs", () => envelope(200, [aClub("Enyimba", "NPFL")]));
  const sent = serve("post", "/api/v1/signup", () => envelope(201, { id: "m", retryAfter: 0 }));
  const { user } = openApp("/signup");
  const radio = await screen.findByRole("radio", { name: "Enyimba" });

  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(screen.getByText("Club is required")).toBeInTheDocument();
  expect(screen.getByRole("radiogroup", { name: "Club" })).toHaveFocus();
  await user.click(radio);
  await continueTo(user, "Your details");

  await user.click(screen.getByRole("button", { name: "Continue" }));
  for (const sentence of [
    "First name is required",
    "Last name is required",
    "Phone is required",
    "Email is required",
  ]) {
    expect(screen.getByText(sentence)).toBeInTheDocument();
  }
  expect(screen.getByLabelText("First name")).toHaveFocus();
  await fillDetails(user, ADA);

  await user.click(screen.getByRole("button", { name: "Sign Up" }));
  for (const sentence of [
    "Password is required",
    "Confirm Password is required",
    "Please accept the terms and conditions",
  ]) {
    expect(screen.getByText(sentence)).toBeInTheDocument();
  }
  expect(sent).toHaveLength(0);
  await fillPassword(user, ADA.password);
  await waitFor(() => expect(sent).toHaveLength(1));
});

test("clubs that cannot be fetched are told and can be fetched again", async () => {
  let down = true;
  serve("get", "/api/v1/clubs", () =>
    down ? refusal(503, "unavailable", "Not now.") : envelope(200, [aClub("Enyimba", "NPFL")]),
  );
  const { user } = openApp("/signup");

  expect(await screen.findByRole("alert")).toHaveTextContent("Failed to fetch clubs.");
  down = false;
  await user.click(screen.getByRole("button", { name: "Fetch the clubs again" }));

  expect(await screen.findByRole("radio", { name: "Enyimba" })).toBeInTheDocument();
});

test("the terms open in a new tab", async () => {
  serve("get", "/api/v1/clubs", () => envelope(200, [aClub("Enyimba", "NPFL")]));
  const { user } = openApp("/signup");
  await user.click(await screen.findByRole("radio", { name: "Enyimba" }));
  await continueTo(user, "Your details");
  await fillDetails(user, ADA);

  const link = await screen.findByRole("link", { name: "terms and conditions" });

  expect(link).toHaveAttribute("target", "_blank");
  expect(link).toHaveAttribute("href", "/legal/terms");
});

const ACTIVATE = "/api/v1/signup/validate-token";

test("a complete code submits itself once and leads to the sign-in page after three seconds", async () => {
  const requests = serve("post", ACTIVATE, () =>
    envelope(200, { id: "m", points: 0 }, "Account activated."),
  );
  const { user } = openApp("/activate-account/member-2");
  const input = await screen.findByPlaceholderText("Enter 6 code here");
  expect(screen.getByText("Please fill in the input below")).toBeInTheDocument();
  await waitFor(() => expect(input).toHaveFocus());

  await user.type(input, "123456");

  expect(await screen.findByText("Account activated.")).toBeInTheDocument();
  expect(requests.map((request) => request.body)).toEqual([{ code: "123456", userId: "member-2" }]);
  expect(await screen.findByRole("heading", { name: "Login" })).toBeInTheDocument();
});

test("a code pasted with spaces is complete", async () => {
  const requests = serve("post", ACTIVATE, () => envelope(200, { id: "m", points: 0 }, "Done."));
  const { user } = openApp("/activate-account/member-2");
  await user.click(await screen.findByPlaceholderText("Enter 6 code here"));

  await user.paste("12 34 56");

  await waitFor(() => expect(requests).toHaveLength(1));
  expect(requests[0]?.body).toEqual({ code: "123456", userId: "member-2" });
});

test("a wrong code shows the server's message and clears the input", async () => {
  serve("post", ACTIVATE, () => refusal(400, "wrong_code", "That code is not right."));
  const { user } = openApp("/activate-account/member-2");
  const input = await screen.findByPlaceholderText("Enter 6 code here");

  await user.type(input, "000000");

  expect(await screen.findByRole("alert")).toHaveTextContent("That code is not right.");
  expect(screen.getByPlaceholderText("Enter 6 code here")).toHaveValue("");
});

test("a new code can be sent, and then only after the server's wait", async () => {
  serve("post", "/api/v1/signup/resend-code", () => envelope(200, { retryAfter: 45 }));
  const { user } = openApp("/activate-account/member-2");

  await user.click(await screen.findByRole("button", { name: "Send a new code" }));

  expect(await screen.findByRole("timer")).toHaveTextContent("0:45");
  expect(screen.queryByRole("button", { name: "Send a new code" })).toBeNull();
});

test("a code that cannot be sent yet is not said to be sent", async () => {
  serve("post", "/api/v1/signup/resend-code", () =>
    refusal(429, "code_too_soon", "You can ask for another code in 5 hours.", {
      data: { retryAfter: 17_000 },
    }),
  );
  const { user } = openApp("/activate-account/member-2");
  expect(await screen.findByText("No code in your email?")).toBeInTheDocument();

  await user.click(screen.getByRole("button", { name: "Send a new code" }));

  expect(await screen.findByRole("timer")).toHaveTextContent(
    "You can ask for a new code in 5 hours.",
  );
  expect(screen.queryByText("We have sent you a new code.")).toBeNull();
});

test("a forgotten password is reset with the mailed code", async () => {
  serve("post", "/api/v1/password/forgot", () => envelope(200, { userId: "member-3" }));
  const resets = serve("post", "/api/v1/password/reset", () => envelope(200, null));
  const { user } = openApp("/signin");

  await user.click(screen.getByRole("link", { name: "Forgot password?" }));
  await screen.findByRole("heading", { name: "Forgot password?" });
  await user.type(await screen.findByLabelText("Email"), "ada@example.com");
  await user.click(screen.getByRole("button", { name: "Send the code" }));
  await user.type(await screen.findByLabelText("Code"), "654321");
  await user.type(screen.getByLabelText("New password"), "Terrace-2027");
  await user.type(screen.getByLabelText("Confirm password"), "Terrace-2027");
  await user.click(screen.getByRole("button", { name: "Set the new password" }));

  expect(await screen.findByRole("heading", { name: "Login" })).toBeInTheDocument();
  expect(resets[0]?.body).toEqual({
    userId: "member-3",
    code: "654321",
    password: "Terrace-2027",
  });
});

test("a refused reset code is not reported as sent", async () => {
  const sentence = "You can ask for another code in 45 seconds.";
  serve("post", "/api/v1/password/forgot", () =>
    refusal(429, "code_too_soon", sentence, { data: { retryAfter: 45 } }),
  );
  const { user } = openApp("/forgot-password");
  await user.type(await screen.findByLabelText("Email"), "ada@example.com");

  await user.click(screen.getByRole("button", { name: "Send the code" }));

  expect(await screen.findByText(sentence)).toBeInTheDocument();
  expect(screen.queryByLabelText("Code")).toBeNull();
});

test("caps lock is pointed out", async () => {
  openApp("/signin");
  const input = screen.getByLabelText("Password");

  fireEvent.keyUp(input, { key: "A", modifierCapsLock: true });

  expect(await screen.findByText("Caps lock is on")).toBeInTheDocument();
});
