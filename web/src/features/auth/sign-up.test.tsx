import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import { aClub, aPendingSignUp } from "@/test/factories";
import { openApp } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";
import { ADA, chooseClub, continueTo, fillDetails, fillPassword, fillSignUp } from "@/test/sign-up";

const SIGN_UP = "/api/v1/signup";
const CORRECT = "/api/v1/signup/member-2/email";
const EXISTS = "An account with this email already exists.";

beforeEach(() => {
  serve("get", "/api/v1/clubs", () =>
    envelope(200, [aClub("Enyimba", "NPFL"), aClub("Remo Stars", "NPFL")]),
  );
});

function openActivation() {
  return openApp({ pathname: "/activate-account/member-2", state: { email: "ada@gmial.com" } });
}

test("each step has its heading, which gets the focus, and says how far it is", async () => {
  const { user } = openApp("/signup");
  expect(await screen.findByText("Step 1 of 3")).toBeInTheDocument();
  await chooseClub(user, "Enyimba");

  await continueTo(user, "Your details");

  const heading = screen.getByRole("heading", { level: 2 });
  expect(heading).toHaveFocus();
  expect(heading).toHaveAccessibleDescription("Step 2 of 3");
  expect(screen.queryByRole("radio")).toBeNull();
  await fillDetails(user, ADA);
  expect(screen.getByRole("heading", { name: "Password and terms" })).toHaveFocus();
  expect(screen.getByText("Step 3 of 3")).toBeInTheDocument();
});

test("Back keeps what was filled in, in every step", async () => {
  const { user } = openApp("/signup");
  await chooseClub(user, "Enyimba");
  await continueTo(user, "Your details");
  await fillDetails(user, ADA);
  await user.type(screen.getByLabelText("Password"), ADA.password);

  await user.click(screen.getByRole("button", { name: "Back" }));
  expect(await screen.findByLabelText("Email")).toHaveValue(ADA.email);
  await user.click(screen.getByRole("button", { name: "Back" }));
  expect(await screen.findByRole("radio", { name: "Enyimba" })).toBeChecked();
  await continueTo(user, "Your details");
  await continueTo(user, "Password and terms");
  expect(screen.getByLabelText("Password")).toHaveValue(ADA.password);
});

test("the chosen club's colours stay until the first sign-in", async () => {
  const colours: [string, string] = ["#1B57B0", "#FFFFFF"];
  const enyimba = { ...aClub("Enyimba", "NPFL"), colours };
  serve("get", "/api/v1/clubs", () => envelope(200, [enyimba]));
  serve("get", "/api/v1/signup/member-2", () => envelope(200, aPendingSignUp({ club: enyimba })));
  const colour = () => document.documentElement.style.getPropertyValue("--club-a");
  const first = openApp("/signup");
  await chooseClub(first.user, "Enyimba");
  expect(colour()).toBe("#1B57B0");
  first.unmount();
  expect(colour()).toBe("");

  const second = openActivation();
  await screen.findByLabelText("Activation code");
  expect(colour()).toBe("#1B57B0");
  second.unmount();
  openApp("/signin");
  await screen.findByLabelText("Password");
  expect(colour()).toBe("#1B57B0");
});

test("a reload keeps the step and everything but the password", async () => {
  const { user, unmount } = openApp("/signup");
  await chooseClub(user, "Enyimba");
  await continueTo(user, "Your details");
  await fillDetails(user, ADA);
  await user.type(screen.getByLabelText("Password"), ADA.password);
  unmount();
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(ADA.password);

  const again = openApp({ pathname: "/signup", state: { step: 2 } });
  expect(await screen.findByLabelText("Password")).toHaveValue("");
  again.unmount();

  openApp({ pathname: "/signup", state: { step: 1 } });
  expect(await screen.findByLabelText("Email")).toHaveValue(ADA.email);
});

test("a step whose tab has lost its draft begins with the club", async () => {
  openApp({ pathname: "/signup", state: { step: 2 } });
  expect(await screen.findByRole("heading", { name: "Choose your club" })).toBeInTheDocument();
});

test("a refused field is shown in its step", async () => {
  const sentence = "Phone number must be up to eleven numbers";
  serve("post", SIGN_UP, () =>
    refusal(422, "validation_failed", sentence, { fields: { phone: sentence } }),
  );
  const { user } = openApp("/signup");

  await fillSignUp(user);

  expect(await screen.findByRole("alert")).toHaveTextContent(sentence);
  const phone = await screen.findByLabelText("Phone");
  expect(phone).toHaveAccessibleDescription(sentence);
  await waitFor(() => expect(phone).toHaveFocus());
  expect(screen.queryByText("Is this account yours?")).toBeNull();
});

test("a club that takes no more members leads back to the first step", async () => {
  serve("post", SIGN_UP, () =>
    refusal(422, "validation_failed", "Club is required", { fields: { club: "Club is required" } }),
  );
  const { user } = openApp("/signup");

  await fillSignUp(user);

  const clubs = await screen.findByRole("radiogroup", { name: "Club" });
  expect(clubs).toHaveAccessibleDescription("Club is required");
});

test.each([
  ["Sign In", "Login"],
  ["Forgot password?", "Forgot password?"],
])("an account that exists offers %s, with the address filled in", async (link, heading) => {
  serve("post", SIGN_UP, () =>
    refusal(409, "account_exists", EXISTS, { fields: { email: EXISTS } }),
  );
  const { user } = openApp("/signup");
  await fillSignUp(user);
  expect(await screen.findByRole("alert")).toHaveTextContent(EXISTS);
  expect(await screen.findByLabelText("Email")).toHaveAccessibleDescription(EXISTS);

  await user.click(screen.getByRole("link", { name: link }));

  expect(await screen.findByRole("heading", { name: heading })).toBeInTheDocument();
  expect(screen.getByLabelText("Email")).toHaveValue(ADA.email);
});

test("an account that has the phone offers to sign in, without somebody else's address", async () => {
  serve("post", SIGN_UP, () =>
    refusal(409, "account_exists", EXISTS, {
      fields: { phone: "An account with this phone number already exists." },
    }),
  );
  const { user } = openApp("/signup");
  await fillSignUp(user);

  await user.click(await screen.findByRole("link", { name: "Sign In" }));

  expect(await screen.findByRole("heading", { name: "Login" })).toBeInTheDocument();
  expect(screen.getByLabelText("Email")).toHaveValue("");
});

test("after a lost response the form can be sent again", async () => {
  let isLost = true;
  const sent = serve("post", SIGN_UP, () =>
    isLost ? HttpResponse.error() : envelope(201, { id: "member-2", retryAfter: 45 }),
  );
  const { user } = openApp("/signup");
  await fillSignUp(user);
  await waitFor(() => expect(sent).toHaveLength(1));
  isLost = false;

  const button = await screen.findByRole("button", { name: "Sign Up" });
  await user.click(button);

  expect(await screen.findByText(/Your code has not been sent yet/)).toBeInTheDocument();
});

test("the activation page shows the address, and sign-in has it afterwards", async () => {
  serve("post", SIGN_UP, () => envelope(201, { id: "member-2", retryAfter: 0 }));
  serve("get", "/api/v1/signup/member-2", () =>
    envelope(200, aPendingSignUp({ email: ADA.email })),
  );
  serve("post", "/api/v1/signup/validate-token", () =>
    envelope(200, { id: "member-2", points: 0 }, "Done."),
  );
  const { user } = openApp("/signup");
  await fillSignUp(user);
  expect(await screen.findByText(ADA.email)).toBeInTheDocument();

  await user.type(screen.getByPlaceholderText("Enter 6 code here"), "123456");

  expect(await screen.findByRole("heading", { name: "Login" })).toBeInTheDocument();
  expect(screen.getByLabelText("Email")).toHaveValue(ADA.email);
  expect(sessionStorage.getItem("sign-up")).toBeNull();
});

test("the page of a link asks the server for the address", async () => {
  serve("get", "/api/v1/signup/member-2", () =>
    envelope(200, aPendingSignUp({ email: "tobi@example.com" })),
  );
  openApp("/activate-account/member-2");
  expect(await screen.findByText("tobi@example.com")).toBeInTheDocument();
});

test("a wrong address is corrected, and a new code goes to the right one", async () => {
  let email = "ada@gmial.com";
  serve("get", "/api/v1/signup/member-2", () => envelope(200, aPendingSignUp({ email })));
  const sent = serve("post", CORRECT, () => {
    email = "ada@gmail.com";
    return envelope(200, { retryAfter: 60 });
  });
  const { user } = openActivation();
  await user.type(await screen.findByPlaceholderText("Enter 6 code here"), "12");

  await user.click(screen.getByRole("button", { name: "Wrong address?" }));
  const field = screen.getByLabelText("Email");
  expect(field).toHaveFocus();
  expect(field).toHaveValue("ada@gmial.com");
  await user.clear(field);
  await user.click(screen.getByRole("button", { name: "Send the code" }));
  expect(screen.getByText("Email is required")).toBeInTheDocument();
  await user.type(field, "ada@gmail.com");
  await user.click(screen.getByRole("button", { name: "Send the code" }));

  expect(await screen.findByText("ada@gmail.com")).toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toEqual([{ email: "ada@gmail.com" }]);
  expect(screen.queryByLabelText("Email")).toBeNull();
  const code = screen.getByPlaceholderText("Enter 6 code here");
  expect(code).toHaveValue("");
  expect(code).toHaveFocus();
  expect(await screen.findByRole("timer")).toHaveTextContent(/^You can request a new code/);
  expect(screen.getByText(/^We sent the code to/)).toHaveTextContent("ada@gmail.com");
});

test("an address that a member has is refused, and leads to their sign-in", async () => {
  serve("get", "/api/v1/signup/member-2", () =>
    envelope(200, aPendingSignUp({ email: "ada@gmial.com" })),
  );
  serve("post", CORRECT, () =>
    refusal(409, "account_exists", EXISTS, { fields: { email: EXISTS } }),
  );
  const { user } = openActivation();
  await user.click(await screen.findByRole("button", { name: "Wrong address?" }));
  await user.clear(screen.getByLabelText("Email"));
  await user.type(screen.getByLabelText("Email"), "bello@example.com");
  await user.click(screen.getByRole("button", { name: "Send the code" }));

  await user.click(await screen.findByRole("link", { name: "Sign In" }));

  expect(await screen.findByRole("heading", { name: "Login" })).toBeInTheDocument();
  expect(screen.getByLabelText("Email")).toHaveValue("bello@example.com");
});

test("a correction whose response was lost is seen on the server", async () => {
  let email = "ada@gmial.com";
  serve("get", "/api/v1/signup/member-2", () => envelope(200, aPendingSignUp({ email })));
  serve("post", CORRECT, () => {
    email = "ada@gmail.com";
    return HttpResponse.error();
  });
  const { user } = openActivation();
  await user.click(await screen.findByRole("button", { name: "Wrong address?" }));
  await user.clear(screen.getByLabelText("Email"));
  await user.type(screen.getByLabelText("Email"), "Ada@gmail.com");
  await user.click(screen.getByRole("button", { name: "Send the code" }));

  expect(await screen.findByText("ada@gmail.com")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByLabelText("Email")).toBeNull());
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a correction that comes too early says when", async () => {
  const sentence = "You can ask for another code in 40 seconds.";
  serve("get", "/api/v1/signup/member-2", () =>
    envelope(200, aPendingSignUp({ email: "ada@gmial.com" })),
  );
  serve("post", CORRECT, () =>
    refusal(429, "code_too_soon", sentence, { data: { retryAfter: 40 } }),
  );
  const { user } = openActivation();
  await user.click(await screen.findByRole("button", { name: "Wrong address?" }));
  await user.click(screen.getByRole("button", { name: "Send the code" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(sentence);
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(screen.getByRole("button", { name: "Wrong address?" })).toHaveFocus();
});

test("a sign-up that another tab has activated leads to sign-in", async () => {
  serve("get", "/api/v1/signup/member-2", () => refusal(404, "not_found", "Not found."));
  const { user } = openActivation();
  const notice = await screen.findByText(/This sign-up has ended/);
  expect(screen.queryByRole("button", { name: "Wrong address?" })).toBeNull();

  const links = within(notice.parentElement as HTMLElement);
  await user.click(links.getByRole("link", { name: "Sign In" }));

  expect(await screen.findByRole("heading", { name: "Login" })).toBeInTheDocument();
  expect(screen.getByLabelText("Email")).toHaveValue("ada@gmial.com");
});

test("a forgotten password takes along the address that was typed", async () => {
  const { user } = openApp("/signin");
  await user.type(screen.getByLabelText("Email"), ADA.email);
  await user.click(screen.getByRole("link", { name: "Forgot password?" }));
  await screen.findByRole("heading", { name: "Forgot password?" });
  expect(screen.getByLabelText("Email")).toHaveValue(ADA.email);
});

const BOTH = ["email", "sms"] as const;

test("the code can be sent by SMS if the club has it", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  serve("get", SIGN_UP, () => envelope(200, { channels: BOTH }));
  const sent = serve("post", SIGN_UP, () => envelope(201, { id: "member-2", retryAfter: 0 }));
  serve("get", "/api/v1/signup/member-2", () =>
    envelope(200, aPendingSignUp({ channel: "sms", channels: [...BOTH] })),
  );
  const { user } = openApp("/signup");
  await chooseClub(user, "Enyimba");
  await continueTo(user, "Your details");
  await user.click(await screen.findByRole("checkbox", { name: "Send my code by SMS" }));
  await fillDetails(user, ADA);
  await fillPassword(user, ADA.password);

  // In full to who has typed it
  expect(await screen.findByText(ADA.phone)).toBeInTheDocument();
  expect(sent[0]?.body).toMatchObject({ channel: "sms" });
  expect(screen.getByRole("timer")).toHaveTextContent("You can request a new code in 1:00.");
  expect(screen.getByText(ADA.email)).toBeInTheDocument();
});

test("without SMS nothing is asked, and nothing is sent about it", async () => {
  const sent = serve("post", SIGN_UP, () => envelope(201, { id: "member-2", retryAfter: 0 }));
  const { user } = openApp("/signup");
  await fillSignUp(user);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).not.toHaveProperty("channel");
  expect(await screen.findByRole("timer")).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /instead/ })).toBeNull();
});

test("a phone that has had its SMS of the day gets the code by email instead", async () => {
  serve("get", "/api/v1/signup/member-2", () =>
    envelope(200, aPendingSignUp({ channel: "sms", channels: [...BOTH] })),
  );
  const asked = serve("post", "/api/v1/signup/resend-code", ({ body }) =>
    "channel" in (body as object)
      ? refusal(429, "code_too_soon", "You can ask for another code in 5 hours.", {
          data: { retryAfter: 17_000 },
        })
      : envelope(200, { retryAfter: 60 }),
  );
  const { user } = openApp("/activate-account/member-2");
  expect(await screen.findByText("No code in your phone?")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Send a new code" }));
  expect(await screen.findByRole("timer")).toHaveTextContent("5 hours");

  await user.click(screen.getByRole("button", { name: "Send it by email instead" }));

  expect(await screen.findByText(/^We sent the code to/)).toHaveTextContent("ada@example.com");
  expect(asked.map(({ body }) => body)).toEqual([
    { userId: "member-2", channel: "sms" },
    { userId: "member-2" },
  ]);
});

test("a mistyped number is corrected, and a new SMS goes to the right one", async () => {
  let phone = "•••• 5679";
  serve("get", "/api/v1/signup/member-2", () =>
    envelope(200, aPendingSignUp({ phone, channel: "sms", channels: [...BOTH] })),
  );
  const sent = serve("post", "/api/v1/signup/resend-code", () => {
    phone = "•••• 5678";
    return envelope(200, { retryAfter: 60 });
  });
  const { user } = openApp("/activate-account/member-2");
  expect(await screen.findByText("•••• 5679")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Wrong number?" }));
  const field = screen.getByLabelText("Phone");
  expect(field).toHaveFocus();
  await user.click(screen.getByRole("button", { name: "Send the code" }));
  expect(screen.getByText("Phone is required")).toBeInTheDocument();

  await user.type(field, "0801 234 5678");
  await user.click(screen.getByRole("button", { name: "Send the code" }));

  expect(await screen.findByText("•••• 5678")).toBeInTheDocument();
  expect(sent.map(({ body }) => body)).toEqual([
    { userId: "member-2", channel: "sms", phone: "0801 234 5678" },
  ]);
  expect(screen.queryByLabelText("Phone")).toBeNull();
  expect(screen.getByPlaceholderText("Enter 6 code here")).toHaveFocus();
  expect(await screen.findByRole("timer")).toHaveTextContent(/^You can request a new code in/);
});

test("a number that a member has is refused under its field", async () => {
  const sentence = "An account with this phone number already exists.";
  serve("get", "/api/v1/signup/member-2", () =>
    envelope(200, aPendingSignUp({ channel: "sms", channels: [...BOTH] })),
  );
  serve("post", "/api/v1/signup/resend-code", () =>
    refusal(409, "account_exists", sentence, { fields: { phone: sentence } }),
  );
  const { user } = openApp("/activate-account/member-2");
  await user.click(await screen.findByRole("button", { name: "Wrong number?" }));
  await user.type(screen.getByLabelText("Phone"), "08031234568");
  await user.click(screen.getByRole("button", { name: "Send the code" }));

  await waitFor(() => expect(screen.getByLabelText("Phone")).toHaveAccessibleDescription(sentence));
});

test.each([
  [5, "Your 5 points are in."],
  [0, null],
])("the club welcomes a new member, and %i points are in", async (points, sentence) => {
  serve("get", "/api/v1/signup/member-2", () => envelope(200, aPendingSignUp()));
  serve("post", "/api/v1/signup/validate-token", () =>
    envelope(200, { id: "member-2", points }, "Your account is active. You can sign in now."),
  );
  const { user } = openActivation();
  expect(await screen.findByText("Enyimba")).toBeInTheDocument();
  expect(document.documentElement).toHaveAttribute("data-joining");

  await user.type(screen.getByPlaceholderText("Enter 6 code here"), "123456");

  expect(await screen.findByRole("heading", { name: "Welcome to Enyimba" })).toBeInTheDocument();
  expect(screen.getByText("Your account is active. You can sign in now.")).toBeInTheDocument();
  expect(screen.queryByText(/points are in/)?.textContent ?? null).toBe(sentence);
  await user.click(screen.getByRole("link", { name: "Sign in now" }));
  expect(await screen.findByRole("heading", { name: "Login" })).toBeInTheDocument();
  expect(document.documentElement).toHaveAttribute("data-joining");
});

test("a link with a club begins after the club, which Change and Back lead to", async () => {
  const { user } = openApp("/signup?club=club-Remo Stars");
  expect(await screen.findByText("Step 2 of 3")).toBeInTheDocument();
  await user.click(await screen.findByRole("button", { name: "Change Remo Stars" }));
  expect(await screen.findByText("Step 1 of 3")).toBeInTheDocument();
  expect(await screen.findByRole("radio", { name: "Remo Stars" })).toBeChecked();

  await chooseClub(user, "Enyimba");
  await continueTo(user, "Your details");
  expect(screen.getByRole("button", { name: "Change Enyimba" })).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Back" }));
  expect(await screen.findByRole("radio", { name: "Enyimba" })).toBeChecked();
});

test("a link with a club that is not on the list begins with the clubs", async () => {
  openApp("/signup?club=gone");
  expect(await screen.findByText("Step 1 of 3")).toBeInTheDocument();
  expect(await screen.findByRole("radio", { name: "Enyimba" })).not.toBeChecked();
});

test("a club of a link that takes no more members leads back to the first step", async () => {
  serve("post", SIGN_UP, () =>
    refusal(422, "validation_failed", "Club is required", { fields: { club: "Club is required" } }),
  );
  const { user } = openApp("/signup?club=club-Remo Stars");
  expect(await screen.findByText("Step 2 of 3")).toBeInTheDocument();
  await fillSignUp(user, { ...ADA, club: null });

  const clubs = await screen.findByRole("radiogroup", { name: "Club" });
  expect(clubs).toHaveAccessibleDescription("Club is required");

  await chooseClub(user, "Enyimba");
  await continueTo(user, "Your details");
  await user.click(screen.getByRole("button", { name: "Back" }));
  expect(await screen.findByRole("radio", { name: "Enyimba" })).toBeChecked();
});
