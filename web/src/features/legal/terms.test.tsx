import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { LegalState } from "@/api/wire";
import { session } from "@/lib/session/session";
import { aProfile } from "@/test/profile";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";

const ACCEPT = "/api/v1/legal/accept";
const NEW: LegalState = { accepted: "1.0", current: "2.0", mustAccept: true };
const DONE: LegalState = { accepted: "2.0", current: "2.0", mustAccept: false };
const HEADING = { name: "Our terms have changed" };

let legal: LegalState;
let asked: SeenRequest[];

beforeEach(() => {
  legal = NEW;
  asked = serve("get", "/api/v1/users/:id", () => envelope(200, aProfile({ legal })));
});

const dialog = () => screen.findByRole("dialog", HEADING);
const accept = () => screen.getByRole("button", { name: "I accept" });

async function open(path = "/backups") {
  const { user } = openAppAsMember(path);
  await waitFor(() => expect(asked).not.toHaveLength(0));
  return user;
}

test("a new version must be accepted before anything else", async () => {
  const sent = serve("post", ACCEPT, () => envelope(200, DONE));
  const user = await open();
  await dialog();

  for (const [name, page] of [
    ["Privacy", "privacy"],
    ["Refund", "refund"],
    ["Terms and Conditions", "terms"],
  ] as const) {
    const link = within(await dialog()).getByRole("link", { name });
    expect(link).toHaveAttribute("href", `/legal/${page}`);
    expect(link).toHaveAttribute("target", "_blank");
  }
  expect(screen.queryByRole("button", { name: "Close dialog" })).not.toBeInTheDocument();
  await user.keyboard("{Escape}");
  expect(await dialog()).toBeInTheDocument();
  await user.click(accept());

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(sent.map(({ body }) => body)).toEqual([{ version: "2.0" }]);
});

test("who has accepted the current version is not asked", async () => {
  legal = DONE;
  await open();
  await waitFor(() => expect(asked).toHaveLength(1));

  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  expect(screen.queryByText("Our terms have changed.")).not.toBeInTheDocument();
});

test("while it is saved nothing can be sent again, and a failure can be repeated", async () => {
  let answer: (response: Response) => void = () => undefined;
  const sent = serve("post", ACCEPT, () => new Promise((resolve) => (answer = resolve)));
  const user = await open();
  await dialog();

  await user.click(accept());
  expect(await screen.findByRole("button", { name: "Saving..." })).toHaveAttribute("aria-busy");
  await user.click(screen.getByRole("button", { name: "Saving..." }));
  await waitFor(() => expect(sent).toHaveLength(1));
  answer(refusal(503, "unavailable", "We are having trouble right now."));

  expect(await screen.findByText("We are having trouble right now.")).toHaveAttribute(
    "role",
    "alert",
  );
  await user.click(accept());
  await waitFor(() => expect(sent).toHaveLength(2));
  answer(envelope(200, DONE));
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

test("a version that has changed meanwhile is read again, and then accepted", async () => {
  const sent = serve("post", ACCEPT, ({ body }) => {
    const { version } = body as { version: string };
    if (version === "3.0") {
      return envelope(200, { ...DONE, accepted: "3.0", current: "3.0" });
    }
    legal = { ...NEW, current: "3.0" };
    return refusal(409, "terms_outdated", "The terms have changed.", { data: { current: "3.0" } });
  });
  const user = await open();
  await dialog();

  await user.click(accept());
  expect(await screen.findByText("The terms have changed.")).toBeInTheDocument();
  await waitFor(() => expect(asked).toHaveLength(2));
  await user.click(accept());

  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  expect(sent.map(({ body }) => body)).toEqual([{ version: "2.0" }, { version: "3.0" }]);
});

test("who does not agree gets to the settings, or signs out", async () => {
  serve("post", "/api/v1/sign-out", () => envelope(200, null));
  serve("get", "/api/v1/sessions/:id", () => envelope(200, []));
  serve("get", "/api/v1/push/key", () => envelope(200, { key: null }));
  serve("get", "/api/v1/products/user/:id", () => envelope(200, []));
  const user = await open();
  await dialog();

  await user.click(within(await dialog()).getByRole("link", { name: "Settings" }));
  expect(await screen.findByRole("button", { name: "Delete my account" })).toBeInTheDocument();
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  await user.click(screen.getByRole("link", { name: "Orders" }));
  await dialog();
  await user.click(screen.getByRole("button", { name: "Sign out" }));

  expect(await screen.findByRole("button", { name: "Login" })).toBeInTheDocument();
  expect(session.read()).toBeNull();
});

test("a member who is only told can close the notice, and does not see it again", async () => {
  legal = { ...NEW, mustAccept: false };
  const user = await open();

  expect(await screen.findByText("Our terms have changed.")).toBeInTheDocument();
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "OK" }));

  expect(screen.queryByText("Our terms have changed.")).not.toBeInTheDocument();
  expect(JSON.parse(localStorage.getItem("terms-notice") ?? "")).toBe("member-1 2.0");
});

test("a failed look is silent: the app goes on", async () => {
  asked = serve("get", "/api/v1/users/:id", () => refusal(503, "unavailable", "Not now."));
  await open();

  expect(await screen.findByRole("contentinfo")).toBeInTheDocument();
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  expect(screen.queryByText("Not now.")).not.toBeInTheDocument();
});
