import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aMatch } from "@/test/matches";
import { browserWithoutPush, browserWithPush } from "@/test/push";
import { openAppAsMember } from "@/test/render";
import { envelope, serve } from "@/test/server";

const DAY_MS = 86_400_000;
const match = aMatch(40 * 24);

let browser: ReturnType<typeof browserWithPush>;
let publicKey: string | null;
let remind: boolean;

beforeEach(() => {
  browser = browserWithPush();
  publicKey = "key";
  remind = false;
  serve("get", "/api/v1/push/key", () => envelope(200, { publicKey }));
  serve("get", "/api/v1/fixtures/:id", () => envelope(200, match));
  serve("get", "/api/v1/fixtures/:id/reminder", () => envelope(200, { remind }));
  serve("put", "/api/v1/fixtures/:id/reminder", () => {
    remind = true;
    return envelope(200, { remind });
  });
  serve("delete", "/api/v1/fixtures/:id/reminder", () => {
    remind = false;
    return envelope(200, { remind });
  });
});
afterEach(browserWithoutPush);

const dialog = () => screen.queryByRole("dialog", { name: "Turn on notifications?" });

/** Open the match and set its reminder. */
async function wantReminder() {
  const keyAsked = serve("get", "/api/v1/push/key", () => envelope(200, { publicKey }));
  const { user, unmount } = openAppAsMember(`/match/${match.id}`);
  const button = await screen.findByRole("button", { name: "Remind me" });
  await waitFor(() => expect(keyAsked).not.toHaveLength(0));
  await user.click(button);
  await waitFor(() => expect(button).toHaveAttribute("aria-pressed", "true"));
  return { user, unmount };
}

test("'Remind me' asks about notifications with our own dialog, and the browser after it", async () => {
  const posted = serve("post", "/api/v1/push/subscriptions", () => envelope(201, { id: "s-1" }));
  const { user } = await wantReminder();

  const asked = within(await screen.findByRole("dialog", { name: "Turn on notifications?" }));
  expect(browser.requestPermission).not.toHaveBeenCalled();
  await user.click(asked.getByRole("button", { name: "Turn on" }));

  // The toast moves from the dialog to the page when the dialog closes.
  await waitFor(() => expect(dialog()).toBeNull());
  expect(await screen.findByText("Notifications are on in this browser.")).toBeInTheDocument();
  expect(posted).toHaveLength(1);
});

test("after 'Not now' a reminder asks no more for thirty days, and then again", async () => {
  const now = vi.spyOn(Date, "now").mockReturnValue(Date.now());
  const first = await wantReminder();
  await first.user.click(await screen.findByRole("button", { name: "Not now" }));
  expect(browser.requestPermission).not.toHaveBeenCalled();
  first.unmount();

  now.mockReturnValue(Date.now() + 29 * DAY_MS);
  remind = false;
  const second = await wantReminder();
  expect(dialog()).toBeNull();
  second.unmount();

  now.mockReturnValue(Date.now() + DAY_MS);
  remind = false;
  await wantReminder();
  expect(await screen.findByRole("dialog", { name: "Turn on notifications?" })).toBeVisible();
});

test("where nothing is pushed, and where the browser blocks it, a reminder asks nothing", async () => {
  publicKey = null;
  const { unmount } = await wantReminder();
  expect(dialog()).toBeNull();
  unmount();

  browserWithoutPush();
  browserWithPush("denied");
  publicKey = "key";
  remind = false;
  await wantReminder();
  expect(dialog()).toBeNull();
});
