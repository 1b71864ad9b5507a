import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import type { Profile } from "@/api/wire";
import * as pictures from "@/features/profile/picture";
import { session } from "@/lib/session/session";
import { aProfile, aWholeProfile } from "@/test/profile";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve, server } from "@/test/server";

const BANKS = [
  { code: "044", name: "Access Bank" },
  { code: "058", name: "Guaranty Trust Bank" },
];
const PICTURE = new File(["goal"], "me.png", { type: "image/png" });

let record: Profile;
let sent: { user: Record<string, unknown>; avatar: File | null }[];

function answerSave(respond: () => Response | Promise<Response>): void {
  server.use(
    http.post("/api/v1/users/updatekyc", async ({ request }) => {
      const form = await request.formData();
      sent.push({
        user: JSON.parse(String(form.get("user"))),
        avatar: form.get("avatar") as File | null,
      });
      return respond();
    }),
  );
}

beforeEach(() => {
  record = aWholeProfile();
  sent = [];
  URL.createObjectURL = () => "blob:picture";
  URL.revokeObjectURL = () => undefined;
  // jsdom draws nothing, so e2e tests decoding and cropping.
  vi.spyOn(pictures, "checkPicture").mockResolvedValue();
  serve("get", "/api/v1/users/:id", () => envelope(200, record));
  serve("get", "/api/v1/banks", () => envelope(200, BANKS));
  serve("get", "/api/v1/products/user/:id", () => envelope(200, []));
  serve("get", "/api/v1/sessions/:id", () => envelope(200, []));
});

async function openForm() {
  const app = openAppAsMember("/profile");
  await screen.findByRole("heading", { name: "Personal Information" });
  return app;
}

const save = () => screen.getByRole("button", { name: "Save changes" });

test("the form has the title, the text and every section, filled with the record", async () => {
  await openForm();

  expect(screen.getByRole("heading", { level: 1, name: "Editing Profile" })).toBeVisible();
  expect(document.title).toBe("Editing Profile · King of Fans");
  expect(screen.getByText("Update your Kyc for recognition.")).toBeVisible();
  const personal = within(screen.getByRole("region", { name: "Personal Information" }));
  expect(personal.getByLabelText(/First name/)).toHaveValue("Ada Grace");
  expect(personal.getByLabelText(/Last name/)).toHaveValue("Obi");
  expect(personal.getByLabelText("Gender")).toHaveValue("female");
  expect(personal.getByLabelText(/Phone/)).toHaveValue("+2348012345678");
  expect(personal.getByLabelText("Date of birth")).toHaveValue("1999-05-14");
  expect(personal.getByLabelText("Email")).toHaveValue("ada@example.com");
  const kin = within(screen.getByRole("region", { name: "Next Of Kins Information" }));
  expect(kin.getByLabelText("Name")).toHaveValue("Bello Musa");
  expect(kin.getByLabelText("Phone number")).toHaveValue("+2348031112222");
  expect(kin.getByLabelText("Address")).toHaveValue("12 Aba Road, Umuahia");
  const bank = within(screen.getByRole("region", { name: "Settlement Bank Information" }));
  await waitFor(() =>
    expect(bank.getByLabelText("Bank")).toHaveDisplayValue("Guaranty Trust Bank"),
  );
  expect(bank.getByLabelText("Account Holder's Name")).toHaveValue("Ada Grace Obi");
  expect(bank.getByLabelText("Account number")).toHaveValue("0123456788");
  expect(screen.getByRole("img", { name: "How others see you" })).toHaveAttribute("width", "126");
});

test("gender is male or female, and the e-mail cannot be changed", async () => {
  const { user } = await openForm();

  const options = within(screen.getByLabelText("Gender")).getAllByRole("option");
  expect(options.map((option) => option.getAttribute("value"))).toEqual(["", "male", "female"]);
  await user.type(screen.getByLabelText("Email"), "x");
  expect(screen.getByLabelText("Email")).toHaveValue("ada@example.com");
  expect(screen.getByLabelText("Email")).toHaveAttribute("readonly");
});

test("saving sends the record with its id and takes over what the server made of it", async () => {
  const { user } = await openForm();
  answerSave(() => {
    record = aWholeProfile({ firstName: "Adaeze", phone: "+2348031234567" });
    return envelope(200, record, "Your profile has been saved.");
  });

  await user.clear(screen.getByLabelText(/First name/));
  await user.type(screen.getByLabelText(/First name/), " Adaeze ");
  await user.clear(screen.getByLabelText(/^Phone \*/));
  await user.type(screen.getByLabelText(/^Phone \*/), "0803 123 4567");
  expect(screen.getByText("Not saved yet")).toBeVisible();
  await user.click(save());

  expect(await screen.findByText("Your profile has been saved.")).toBeVisible();
  expect(screen.getByLabelText(/First name/)).toHaveValue("Adaeze");
  expect(screen.getByLabelText(/^Phone \*/)).toHaveValue("+2348031234567");
  expect(screen.getByText("All saved")).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.avatar).toBeNull();
  expect(sent[0]?.user).toEqual({
    id: "member-1",
    firstName: " Adaeze ",
    lastName: "Obi",
    gender: "female",
    phone: "0803 123 4567",
    dateOfBirth: "1999-05-14",
    nextOfKinsDetails: aWholeProfile().nextOfKinsDetails,
    settlementDetails: aWholeProfile().settlementDetails,
  });
});

test("the header and the stored member follow a save, and keep what else is stored", async () => {
  const { user } = await openForm();
  const before = session.read();
  answerSave(() => envelope(200, aWholeProfile({ firstName: "Adaeze" }), "Saved."));

  await user.type(screen.getByLabelText(/First name/), "e");
  await user.click(save());

  expect(await screen.findByRole("link", { name: "Adaeze, profile" })).toBeVisible();
  expect(session.read()).toEqual({
    ...before,
    firstName: "Adaeze",
    avatar: "/media/avatars/ada.webp",
  });
});

test("the button takes nothing more only while the form is on its way", async () => {
  const { user } = await openForm();
  let release: (answer: Response) => void = () => undefined;
  const answer = new Promise<Response>((resolve) => {
    release = resolve;
  });
  answerSave(() => answer);
  expect(save()).toBeEnabled();

  await user.click(save());

  const saving = await screen.findByRole("button", { name: "Saving..." });
  expect(saving).toHaveAttribute("aria-disabled", "true");
  expect(saving).toHaveFocus();
  await user.click(saving);
  await waitFor(() => expect(sent).toHaveLength(1));
  release(envelope(200, record, "Saved."));
  expect(await screen.findByRole("button", { name: "Save changes" })).toBeEnabled();
});

test("what is typed while the form is on its way is kept", async () => {
  const { user } = await openForm();
  let release: (answer: Response) => void = () => undefined;
  const answer = new Promise<Response>((resolve) => {
    release = resolve;
  });
  answerSave(() => answer);

  await user.click(save());
  await user.type(screen.getByLabelText("Address"), ", Abia");
  release(envelope(200, record, "Saved."));

  expect(await screen.findByText("Saved.")).toBeVisible();
  expect(screen.getByLabelText("Address")).toHaveValue("12 Aba Road, Umuahia, Abia");
  expect(screen.getByText("Not saved yet")).toBeVisible();
});

test("what does not fit is said under its field, the first gets the focus, nothing is sent", async () => {
  const { user } = await openForm();
  answerSave(() => envelope(200, record));

  await user.clear(screen.getByLabelText(/Last name/));
  await user.clear(screen.getByLabelText("Account number"));
  await user.type(screen.getByLabelText("Account number"), "0123 45");
  expect(screen.getByLabelText("Account number")).toHaveAccessibleDescription("6 of 10 digits");
  await user.click(save());

  expect(screen.getByLabelText(/Last name/)).toHaveAccessibleDescription("Last name is required");
  expect(screen.getByLabelText(/Last name/)).toHaveFocus();
  expect(screen.getByLabelText("Account number")).toHaveAccessibleDescription(
    "An account number has ten digits",
  );
  await user.type(screen.getByLabelText("Account number"), "6789");
  expect(screen.getByLabelText("Account number")).toHaveAccessibleDescription("10 digits");
  expect(sent).toHaveLength(0);
});

test("the server's refusal is a toast, and its fields are said under the form's", async () => {
  const { user } = await openForm();
  answerSave(() =>
    refusal(422, "invalid", "Please choose a bank from the list", {
      fields: {
        "settlementDetails.bankCode": "Please choose a bank from the list",
        "nextOfKinsDetails.nextOfKinsPhoneNumber": "Phone number must be up to eleven numbers",
      },
    }),
  );

  await user.click(save());

  expect(await screen.findByRole("alert")).toHaveTextContent("Please choose a bank from the list");
  expect(screen.getByLabelText("Bank")).toHaveAccessibleDescription(
    "Please choose a bank from the list",
  );
  await waitFor(() => expect(screen.getByLabelText("Phone number")).toHaveFocus());
  expect(screen.getByLabelText(/First name/)).toHaveValue("Ada Grace");
});

test.each([
  [409, "account_exists", "An account with this phone number already exists."],
  [413, "too_large", "The picture exceeds 2MB. Please choose a smaller one."],
  [415, "not_a_picture", "Please choose a JPEG, PNG or WebP picture."],
])("a %i shows what the server says and keeps the form", async (status, code, sentence) => {
  const { user } = await openForm();
  answerSave(() => refusal(status, code, sentence));

  await user.type(screen.getByLabelText(/Last name/), "nna");
  await user.click(save());

  expect(await screen.findByRole("alert")).toHaveTextContent(sentence);
  expect(screen.getByLabelText(/Last name/)).toHaveValue("Obinna");
  const phone = screen.getByLabelText(/^Phone \*/);
  expect(phone.getAttribute("aria-invalid")).toBe(status === 409 ? "true" : null);
});

test("a picture is opened, cropped, shown, and goes out with the next save", async () => {
  const { user } = await openForm();
  const square = new File(["small"], "avatar.webp", { type: "image/webp" });
  vi.spyOn(pictures, "squareOf").mockResolvedValue(square);
  answerSave(() => envelope(200, aWholeProfile({ avatar: "/media/avatars/new.webp" }), "Saved."));

  await user.upload(screen.getByLabelText("Change the picture"), PICTURE);
  const modal = within(await screen.findByRole("dialog", { name: "Crop your picture" }));
  modal.getByRole("img").dispatchEvent(new Event("load", { bubbles: false }));
  await user.click(modal.getByRole("button", { name: "Use picture" }));

  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const shown = screen.getByRole("img", { name: "How others see you" });
  expect(shown).toHaveAttribute("src", "blob:picture");
  expect(screen.getByText("Looks good. Save to keep it.")).toBeVisible();
  await user.click(save());
  await screen.findByText("Saved.");
  expect(sent[0]?.avatar?.type).toBe("image/webp");
  await waitFor(() => expect(shown).toHaveAttribute("src", "/media/avatars/new.webp"));
  expect(session.read()?.avatar).toBe("/media/avatars/new.webp");
});

test("a picture that cannot be opened says so kindly and opens nothing", async () => {
  const { user } = await openForm();
  vi.spyOn(pictures, "checkPicture").mockRejectedValue(
    new Error("This picture could not be opened. Please choose another one."),
  );

  await user.upload(screen.getByLabelText("Change the picture"), PICTURE);

  expect(
    await screen.findByText("This picture could not be opened. Please choose another one."),
  ).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("the meter counts what is told while it is typed", async () => {
  record = aProfile();
  const { user } = await openForm();
  const meter = () => screen.getByText(/of 8 completed/);
  expect(meter()).toHaveTextContent("2 of 8 completed");

  await user.selectOptions(screen.getByLabelText("Gender"), "male");

  expect(meter()).toHaveTextContent("3 of 8 completed");
  expect(screen.getByText(/^Still missing: your picture, date of birth/)).toBeVisible();
});

test("a record that does not load can be asked for again", async () => {
  let down = true;
  serve("get", "/api/v1/users/:id", () =>
    down ? refusal(503, "unavailable", "Please come back in a minute.") : envelope(200, record),
  );
  const { user } = openAppAsMember("/profile");
  expect(await screen.findByText("Please come back in a minute.")).toBeVisible();

  down = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByLabelText(/First name/)).toHaveValue("Ada Grace");
});

test("banks that do not load keep the saved one and can be asked for again", async () => {
  let down = true;
  serve("get", "/api/v1/banks", () =>
    down ? refusal(503, "unavailable", "No.") : envelope(200, BANKS),
  );
  const { user } = await openForm();
  const again = await screen.findByRole("button", { name: "Fetch the banks again" });
  expect(screen.getByLabelText("Bank")).toHaveDisplayValue("Your saved bank");

  down = false;
  await user.click(again);

  await waitFor(() =>
    expect(screen.getByLabelText("Bank")).toHaveDisplayValue("Guaranty Trust Bank"),
  );
});

test("leaving by a link asks while something is unsaved, and only then", async () => {
  const { user } = await openForm();
  await user.type(screen.getByLabelText("Address"), ", Abia");
  const settings = within(screen.getByRole("main")).getByRole("link", { name: "Settings" });

  await user.click(settings);
  const question = () => screen.queryByRole("dialog", { name: "Leave without saving?" });
  expect(question()).toBeVisible();
  expect(screen.getByRole("button", { name: "Keep editing" })).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(question()).toBeNull();
  expect(screen.getByLabelText("Address")).toHaveValue("12 Aba Road, Umuahia, Abia");

  await user.click(settings);
  await user.click(screen.getByRole("button", { name: "Leave" }));
  expect(await screen.findByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
});

test("closing the tab asks while something is unsaved, and only then", async () => {
  const { user } = await openForm();
  const closing = () => {
    const event = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(closing()).toBe(false);

  await user.type(screen.getByLabelText("Address"), "!");
  expect(closing()).toBe(true);
  await user.type(screen.getByLabelText("Address"), "{Backspace}");
  expect(closing()).toBe(false);
});

test("every address of a chosen picture is given back, whatever becomes of the picture", async () => {
  const made: string[] = [];
  const given: string[] = [];
  URL.createObjectURL = () => {
    made.push(`blob:${made.length}`);
    return made.at(-1) ?? "";
  };
  URL.revokeObjectURL = (address) => void given.push(address);
  vi.spyOn(pictures, "squareOf").mockResolvedValue(new File(["x"], "avatar.webp"));
  const { user, unmount } = await openForm();
  const input = screen.getByLabelText(/the picture|a picture/);
  const choose = () => user.upload(input, new File(["x"], "me.jpg", { type: "image/jpeg" }));

  await choose();
  await screen.findByRole("dialog", { name: "Crop your picture" });
  await user.click(screen.getByRole("button", { name: "Close" }));
  await choose();
  const image = await screen.findByAltText("What you chose");
  fireEvent.load(image);
  await user.click(screen.getByRole("button", { name: "Use picture" }));
  expect(await screen.findByAltText("How others see you")).toHaveAttribute("src", made.at(-1));
  unmount();

  expect(made.length).toBeGreaterThanOrEqual(3);
  expect([...given].sort()).toEqual([...made].sort());
});

test("without an answer nothing is lost", async () => {
  const { user } = await openForm();
  server.use(http.post("/api/v1/users/updatekyc", () => HttpResponse.error()));

  await user.type(screen.getByLabelText(/Last name/), "nna");
  await user.click(save());

  expect(
    await screen.findByText("No answer from the server. Check your connection and try again."),
  ).toBeVisible();
  expect(screen.getByLabelText(/Last name/)).toHaveValue("Obinna");
  expect(screen.getByText("Not saved yet")).toBeVisible();
});

test("a record that was changed elsewhere fills the form, but never over what is typed", async () => {
  const { user } = await openForm();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  const comeBack = () => window.dispatchEvent(new Event("visibilitychange"));

  record = aWholeProfile({ lastName: "Okafor" });
  comeBack();
  await waitFor(() => expect(screen.getByLabelText(/Last name/)).toHaveValue("Okafor"));

  await user.type(screen.getByLabelText(/Last name/), "-Obi");
  record = aWholeProfile({ lastName: "Eze", firstName: "Adaeze" });
  vi.setSystemTime(Date.now() + 60_000);
  comeBack();
  expect(await screen.findByRole("link", { name: "Adaeze, profile" })).toBeVisible();
  expect(screen.getByLabelText(/Last name/)).toHaveValue("Okafor-Obi");
});
