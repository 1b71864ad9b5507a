import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { envelope, refusal, serve } from "@/test/server";
import { operatorSession } from "~/lib/operator-session";
import { anOperator, aPlan, openOffice, page } from "~/test/render";

const ELSEWHERE = ["/", "/orders", "/logs", "/nowhere"];

test.each(ELSEWHERE)("to whoever is not signed in there is no page at %s", async (address) => {
  openOffice(address, null);

  expect(await screen.findByRole("heading", { name: "URL not found!" })).toBeInTheDocument();
  expect(screen.queryByRole("navigation")).toBeNull();
});

test("to a token that is none the server's word is that there is no page", async () => {
  operatorSession.write({ token: "nonsense" });
  serve("get", "/api/v1/admin/me", () => refusal(404, "not_found", "Nothing here."));
  openOffice("/orders", null);

  expect(await screen.findByRole("heading", { name: "URL not found!" })).toBeInTheDocument();
});

test("the way in takes email, password and code, and leads to today", async () => {
  const sent = serve("post", "/api/v1/admin/sign-in", () =>
    envelope(200, { token: "token-of-an-operator", me: anOperator() }, "Welcome back."),
  );
  const { user } = openOffice("/sign-in");
  operatorSession.clear();

  await user.type(await screen.findByLabelText("Email"), "ops@example.com");
  await user.type(screen.getByLabelText("Password"), "Terrace-2026");
  await user.type(screen.getByLabelText("Code"), "12 34-56");
  await user.click(screen.getByRole("button", { name: "Sign in" }));

  const heading = await screen.findByRole("heading", { name: "Today" });
  await waitFor(() => expect(heading).toHaveFocus());
  expect(sent[0]?.body).toEqual({
    email: "ops@example.com",
    password: "Terrace-2026",
    code: "123456",
  });
});

test("a code that was refused is typed anew: each is good once", async () => {
  serve("post", "/api/v1/admin/sign-in", () =>
    refusal(400, "wrong_credentials", "Email, password and code do not belong together."),
  );
  const { user } = openOffice("/sign-in", null);

  await user.type(await screen.findByLabelText("Email"), "ops@example.com");
  await user.type(screen.getByLabelText("Password"), "Terrace-2026");
  await user.type(screen.getByLabelText("Code"), "123456");
  await user.click(screen.getByRole("button", { name: "Sign in" }));

  expect(await screen.findByText(/do not belong together/)).toBeInTheDocument();
  expect(screen.getByLabelText("Code")).toHaveValue("");
});

test("the menu has what the operator's rights open, and no other screen answers", async () => {
  openOffice("/operators", anOperator({ rights: ["plans:write"] }));

  expect(await screen.findByRole("heading", { name: "URL not found!" })).toBeInTheDocument();
});

test("somebody with one right sees its screen, and what everybody may see", async () => {
  serve("get", "/api/v1/admin/plans", () => page([]));
  openOffice("/plans", anOperator({ rights: ["plans:write"] }));

  const menu = await screen.findByRole("navigation", { name: "Main menu" });

  expect(within(menu).getByRole("link", { name: "Plans" })).toBeInTheDocument();
  expect(within(menu).getByRole("link", { name: "Today" })).toBeInTheDocument();
  expect(within(menu).queryByRole("link", { name: "Money" })).toBeNull();
});

test("a new screen takes the focus to its heading", async () => {
  serve("get", "/api/v1/admin/plans", () => page([]));
  const { user } = openOffice("/");

  await user.click(await screen.findByRole("link", { name: "Plans" }));

  const heading = await screen.findByRole("heading", { name: "Plans" });
  await waitFor(() => expect(heading).toHaveFocus());
});

test("a session that has ended leads to the way in, and back to where one was", async () => {
  let isOver = true;
  serve("get", "/api/v1/admin/plans", () =>
    isOver ? refusal(401, "token_dead", "Please sign in again.") : page([]),
  );
  serve("post", "/api/v1/admin/sign-in", () => {
    isOver = false;
    return envelope(200, { token: "another", me: anOperator() });
  });
  const { user } = openOffice("/plans");

  await user.type(await screen.findByLabelText("Email"), "ops@example.com");
  await user.type(screen.getByLabelText("Password"), "Terrace-2026");
  await user.type(screen.getByLabelText("Code"), "123456");
  await user.click(screen.getByRole("button", { name: "Sign in" }));

  expect(await screen.findByRole("heading", { name: "Plans" })).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
});

test("what was typed waits for whoever signs in again, out of sight", async () => {
  let isOver = false;
  serve("get", "/api/v1/admin/plans", () => page([aPlan()]));
  serve("patch", `/api/v1/admin/plans/${aPlan().id}`, () => {
    isOver = true;
    return refusal(401, "token_dead", "Please sign in again.");
  });
  serve("post", "/api/v1/admin/sign-in", () => {
    isOver = false;
    return envelope(200, { token: "another", me: anOperator() });
  });
  const { user } = openOffice("/plans");
  serve("get", "/api/v1/admin/me", () =>
    isOver ? refusal(401, "token_dead", "Please sign in again.") : envelope(200, anOperator()),
  );
  await user.click(await screen.findByRole("button", { name: "Change" }));
  const dialog = await screen.findByRole("dialog", { name: "Change Terrace" });
  await user.type(within(dialog).getByLabelText(/Name/), " and Stand");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));

  await user.type(await screen.findByLabelText("Code"), "123456");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(screen.queryByRole("heading", { name: "Plans" })).toBeNull();
  await user.type(screen.getByLabelText("Email"), "ops@example.com");
  await user.type(screen.getByLabelText("Password"), "Terrace-2026");
  await user.click(screen.getByRole("button", { name: "Sign in" }));

  const back = await screen.findByRole("dialog", { name: "Change Terrace" });
  expect(within(back).getByLabelText(/Name/)).toHaveValue("Terrace and Stand");
});

test("signing out ends it here at once, whatever the server says", async () => {
  serve("post", "/api/v1/admin/sign-out", () => new Promise<Response>(() => undefined));
  const { user } = openOffice("/");

  await user.click(await screen.findByRole("button", { name: "Sign out" }));

  expect(await screen.findByLabelText("Code")).toBeInTheDocument();
  expect(operatorSession.read()).toBeNull();
});

test("a ledger that does not balance is said on every screen", async () => {
  openOffice("/plans");
  serve("get", "/api/v1/admin/plans", () => page([]));
  serve("get", "/api/v1/admin/today", () =>
    envelope(200, { waiting: {}, proposed: 0, ledger: { ok: false }, backup: null }),
  );

  expect(await screen.findByText("Ledger does not balance")).toBeInTheDocument();
});

test("who is about to be signed out is told", async () => {
  serve("get", "/api/v1/admin/plans", () => page([]));
  const soon = new Date(Date.now() + 60_000).toISOString();
  openOffice("/plans", anOperator({ idleEndsAt: soon }));

  await waitFor(() => expect(screen.getByText(/unless you do something/)).toBeInTheDocument());
});

test("the header has the operator's name, without the list of roles", async () => {
  openOffice("/", anOperator({ name: "Olu Ade", roles: ["finance", "shop"] }));

  expect(await screen.findByText("Olu Ade")).toBeVisible();
  expect(screen.queryByText(/finance/)).toBeNull();
});
