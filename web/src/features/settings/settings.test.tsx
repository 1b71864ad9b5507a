import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeEach, expect, test, vi } from "vitest";
import type { DeviceSession, Order, Profile } from "@/api/wire";
import { soundChoice } from "@/lib/device/feedback";
import { lowDataChoice } from "@/lib/device/low-data";
import { cartStore } from "@/lib/session/cart-store";
import { endSession, session } from "@/lib/session/session";
import { themeChoice } from "@/lib/ui/theme";
import { aCartItem, anOrder, aSession } from "@/test/factories";
import { leaveTo } from "@/test/fake-navigation";
import { aDevice, aProfile } from "@/test/profile";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

let devices: DeviceSession[];
let orders: Order[];
let profile: Profile;

beforeEach(() => {
  leaveTo.mockClear();
  devices = [aDevice(), aDevice({ id: "session-2", device: "Firefox on Windows", current: false })];
  orders = [];
  profile = aProfile();
  serve("get", "/api/v1/push/key", () => envelope(200, { publicKey: null }));
  serve("get", "/api/v1/users/:id", () => envelope(200, profile));
  serve("get", "/api/v1/sessions/:id", () => envelope(200, devices));
  serve("get", "/api/v1/products/user/:id", () => envelope(200, orders));
});

const panel = (name: string) => within(screen.getByRole("region", { name }));

async function openSettings() {
  const app = openAppAsMember("/settings");
  await screen.findByRole("heading", { name: "Contact" });
  return app;
}

test("the profile card has the member, the club and an Edit that opens the form", async () => {
  const { user } = await openSettings();
  serve("get", "/api/v1/banks", () => envelope(200, []));

  const card = panel("Obi Ada");
  expect(card.getByText("Enyimba · Super Fan")).toBeVisible();
  await user.click(card.getByRole("link", { name: "Edit" }));

  expect(await screen.findByRole("heading", { name: "Editing Profile" })).toBeVisible();
});

test("emails, phone numbers and the account's options are the member's own", async () => {
  await openSettings();

  const contact = panel("Contact");
  expect(await contact.findByText("ada@example.com")).toBeVisible();
  expect(contact.getByText("+234 801 234 5678")).toBeVisible();
  const options = panel("Account options");
  for (const known of ["English", "Africa/Lagos", "Enyimba", "Not provided"]) {
    expect(options.getByText(known)).toBeVisible();
  }
});

test("an address that was never told says so and leads to where it is told", async () => {
  await openSettings();

  const contact = panel("Contact");
  expect(await contact.findByText("Not provided")).toBeVisible();
  expect(contact.getByRole("link", { name: "Add one in the shop" })).toHaveAttribute(
    "href",
    "/products",
  );
});

test("an address that did not load is not said to be unknown", async () => {
  serve("get", "/api/v1/products/user/:id", () => refusal(503, "unavailable", "No."));
  await openSettings();

  expect(await panel("Contact").findByText("Did not load")).toBeVisible();
  expect(panel("Contact").queryByText("Not provided")).toBeNull();
});

test("the address is that of the latest order, never that of the next of kin", async () => {
  profile = aProfile({
    nextOfKinsDetails: {
      nextOfKinsName: "Bello",
      nextOfKinsPhoneNumber: "",
      nextOfKinsAddress: "12 Kin Road",
    },
  });
  orders = [anOrder()];
  await openSettings();

  expect(await panel("Contact").findByText("1 Aba Road")).toBeVisible();
  expect(panel("Contact").getByText("From your latest order")).toBeVisible();
  expect(screen.queryByText("12 Kin Road")).toBeNull();
});

test("the theme takes effect at once, here and in the menu's switch", async () => {
  const { user } = await openSettings();

  await user.click(panel("This app").getByRole("radio", { name: "Dark" }));

  expect(document.documentElement.dataset["theme"]).toBe("dark");
  expect(themeChoice.read()).toBe("dark");
  for (const dark of screen.getAllByRole("radio", { name: "Dark" })) {
    expect(dark).toBeChecked();
  }
  expect(screen.getAllByRole("radio", { name: "Dark" })).toHaveLength(2);
  await user.click(panel("This app").getByRole("radio", { name: "Auto" }));
  expect(document.documentElement.dataset["theme"]).toBeUndefined();
});

test("sound is on until it is switched off", async () => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }) as never,
  );
  const { user } = await openSettings();
  const sound = screen.getByRole("switch", { name: "Sound" });
  expect(sound).toBeChecked();

  await user.click(sound);

  expect(sound).not.toBeChecked();
  expect(soundChoice.read()).toBe(false);
  expect(screen.queryByRole("switch", { name: "Vibration" })).toBeNull();
});

test("the low-data switch says what it does and follows another tab", async () => {
  const { user } = await openSettings();
  const low = screen.getByRole("switch", { name: "Low data" });
  expect(low).not.toBeChecked();
  expect(low).toHaveAccessibleDescription(/^No autoplay, small pictures/);

  await user.click(low);
  expect(low).toBeChecked();
  expect(lowDataChoice.read()).toBe(true);

  localStorage.setItem("low-data", "false");
  act(() => void window.dispatchEvent(new StorageEvent("storage", { key: "low-data" })));
  expect(low).not.toBeChecked();
});

test("devices are listed with when they were used, this one first", async () => {
  await openSettings();

  const [here, there] = await panel("Devices").findAllByRole("listitem");
  expect(here).toHaveTextContent("Chrome on Android");
  expect(here).toHaveTextContent("This device");
  expect(here).toHaveTextContent("Last seen 21 November 2026, 8:05 am");
  expect(here).toHaveTextContent("Signed in 20 November 2026, 1:30 pm");
  expect(there).toHaveTextContent("Firefox on Windows");
  expect(there).not.toHaveTextContent("This device");
});

test("signing out everywhere else asks first, and then lists this device only", async () => {
  const { user } = await openSettings();
  const asked = serve("post", "/api/v1/sessions/revoke-others", () => {
    devices = [aDevice()];
    return envelope(200, { revoked: 1 }, "You have signed out everywhere else.");
  });

  await user.click(await screen.findByRole("button", { name: "Sign out everywhere else" }));
  const modal = within(screen.getByRole("dialog", { name: "Sign out everywhere else?" }));
  expect(modal.getByText(/The other device will have to sign in again/)).toBeVisible();
  expect(asked).toHaveLength(0);
  await user.click(modal.getByRole("button", { name: "Sign out" }));

  expect(await screen.findByText("You have signed out everywhere else.")).toBeVisible();
  await waitFor(() => expect(panel("Devices").getAllByRole("listitem")).toHaveLength(1));
  expect(screen.queryByRole("button", { name: "Sign out everywhere else" })).toBeNull();
  expect(session.read()).not.toBeNull();
});

test("devices that do not load can be asked for again", async () => {
  serve("get", "/api/v1/sessions/:id", () => refusal(503, "unavailable", "Later, please."));
  const { user } = await openSettings();
  expect(await screen.findByText("Later, please.")).toBeVisible();

  serve("get", "/api/v1/sessions/:id", () => envelope(200, devices));
  await user.click(screen.getByRole("button", { name: "Try again" }));

  await waitFor(() => expect(panel("Devices").getAllByRole("listitem")).toHaveLength(2));
});

test("signing out here ends this session", async () => {
  const { user } = await openSettings();
  const asked = serve("post", "/api/v1/sign-out", () => envelope(200, null));

  await user.click(screen.getByRole("button", { name: "Sign out here" }));

  expect(await screen.findByRole("button", { name: "Login" })).toBeInTheDocument();
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(session.read()).toBeNull();
});

test("all data come as a file that is named after the day in Lagos", async () => {
  const { user } = await openSettings();
  const held = { exportedAt: "2026-11-21T23:30:00Z", profile, media: [], records: {} };
  serve("get", "/api/v1/users/:id/export", () => envelope(200, held));
  const blobs: Blob[] = [];
  URL.createObjectURL = (blob) => {
    blobs.push(blob as Blob);
    return "blob:data";
  };
  URL.revokeObjectURL = () => undefined;
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });

  await user.click(screen.getByRole("button", { name: "Download my data" }));

  expect(await screen.findByText("Your data is in your downloads.")).toBeVisible();
  expect(names).toEqual(["king-of-fans-2026-11-22.json"]);
  expect(JSON.parse((await blobs[0]?.text()) ?? "")).toEqual(held);
});

test("a download that fails says what the server says", async () => {
  const { user } = await openSettings();
  serve("get", "/api/v1/users/:id/export", () => refusal(503, "unavailable", "Not now."));

  await user.click(screen.getByRole("button", { name: "Download my data" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("Not now.");
});

async function openDeletion() {
  const app = await openSettings();
  await app.user.click(screen.getByRole("button", { name: "Delete my account" }));
  return { ...app, modal: within(screen.getByRole("dialog", { name: "Delete my account" })) };
}

test("deleting says what goes and what stays, and sends nothing without a password", async () => {
  const { user, modal } = await openDeletion();
  const asked = serve("delete", "/api/v1/users/:id", () => envelope(200, null));
  expect(modal.getByText("This cannot be undone.")).toBeVisible();
  expect(modal.getByText(/^Your name, email, phone, picture/)).toBeVisible();
  expect(modal.getByText(/^Records of payments, orders and points/)).toBeVisible();

  await user.click(modal.getByRole("button", { name: "Delete for good" }));

  expect(modal.getByLabelText("Password")).toHaveAccessibleDescription("Password is required");
  expect(modal.getByLabelText("Password")).toHaveAttribute("maxlength", "1024");
  expect(asked).toHaveLength(0);
  await user.click(modal.getByRole("button", { name: "Keep my account" }));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a wrong password is said under it, and the member stays", async () => {
  const { user, modal } = await openDeletion();
  serve("delete", "/api/v1/users/:id", () =>
    refusal(400, "wrong_password", "This is not your password."),
  );

  await user.type(modal.getByLabelText("Password"), "guess{Enter}");

  await waitFor(() =>
    expect(modal.getByLabelText("Password")).toHaveAccessibleDescription(
      "This is not your password.",
    ),
  );
  expect(session.read()).not.toBeNull();
});

test("money in the wallet has to be given up with a tick of its own", async () => {
  const { user, modal } = await openDeletion();
  const asked = serve("delete", "/api/v1/users/:id", ({ body }) =>
    (body as { forfeitBalance: boolean }).forfeitBalance
      ? envelope(200, null, "Your account has been deleted.")
      : refusal(409, "balance_left", "Your wallet still holds money.", {
          data: { balance: 2500 },
        }),
  );

  await user.type(modal.getByLabelText("Password"), "Terrace-2026");
  await user.click(modal.getByRole("button", { name: "Delete for good" }));
  const tick = await modal.findByRole("checkbox", { name: "I give up ₦2,500.00" });
  expect(modal.getByRole("alert")).toHaveTextContent("Your wallet still holds ₦2,500.00.");
  await user.click(modal.getByRole("button", { name: "Delete for good" }));
  expect(tick).toHaveAccessibleDescription(
    "Please tick this box, or close this and spend it first",
  );
  expect(asked).toHaveLength(1);

  await user.click(tick);
  await user.click(modal.getByRole("button", { name: "Delete for good" }));

  await screen.findByText(/^Your account has been deleted\. Goodbye/);
  expect(asked.map(({ body }) => body)).toEqual([
    { password: "Terrace-2026", forfeitBalance: false },
    { password: "Terrace-2026", forfeitBalance: true },
  ]);
});

test("who has left is forgotten: session, cart and drafts, but not how the phone likes it", async () => {
  cartStore.write([aCartItem()]);
  localStorage.setItem("attempts", "{}");
  sessionStorage.setItem("trivia", "{}");
  lowDataChoice.write(true);
  const { user, modal } = await openDeletion();
  serve("delete", "/api/v1/users/:id", () => envelope(200, null, "Your account has been deleted."));

  await user.type(modal.getByLabelText("Password"), "Terrace-2026{Enter}");

  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
  expect(
    screen.getByText("Your account has been deleted. Goodbye, and thank you for every shout."),
  ).toBeVisible();
  expect(session.read()).toBeNull();
  expect(cartStore.read()).toBeNull();
  expect(Object.keys(localStorage).sort()).toEqual(["first-use", "low-data"]);
  expect(Object.keys(sessionStorage)).toEqual(["pages-of-the-left"]);
  expect(leaveTo).not.toHaveBeenCalled();
});

test("a session without an e-mail still shows the settings while the record loads", async () => {
  const { email: _unknown, ...older } = aSession();
  openAppAsMember("/settings", older);

  expect(await screen.findByRole("region", { name: "Contact" })).toBeVisible();
  expect(await screen.findByText("ada@example.com")).toBeVisible();
});

test("an account whose deletion was not heard of leaves nothing behind once it is seen to be gone", async () => {
  cartStore.write([aCartItem()]);
  const { user, modal } = await openDeletion();
  serve("delete", "/api/v1/users/:id", () => HttpResponse.error());
  await user.type(modal.getByLabelText("Password"), "Terrace-2026{Enter}");
  await waitFor(() => expect(modal.getByLabelText("Password")).toBeInvalid());
  serve("delete", "/api/v1/users/:id", () => refusal(401, "signed_out", "Please sign in."));

  await user.click(modal.getByRole("button", { name: "Delete for good" }));

  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
  expect(Object.keys(localStorage)).not.toContain("cart");
});

test("an account that stays keeps the cart when its session runs out", async () => {
  cartStore.write([aCartItem()]);
  const { user, modal } = await openDeletion();
  serve("delete", "/api/v1/users/:id", () => refusal(400, "wrong_password", "Not yours."));
  await user.type(modal.getByLabelText("Password"), "guess{Enter}");
  await waitFor(() => expect(modal.getByLabelText("Password")).toBeInvalid());

  await act(() => endSession("expired"));

  expect(Object.keys(localStorage)).toContain("cart");
});
