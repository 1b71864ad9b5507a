import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { expect, test } from "vitest";
import { envelope, refusal, serve } from "@/test/server";
import { aPlan, openOffice, page } from "~/test/render";

const PLAN = `/api/v1/admin/plans/${aPlan().id}`;

async function openChange() {
  const opened = openOffice("/plans");
  await opened.user.click(await screen.findByRole("button", { name: "Change" }));
  const dialog = await screen.findByRole("dialog", { name: "Change Terrace" });
  return { ...opened, dialog };
}

test("a change sends what was changed, with the version that was read", async () => {
  serve("get", "/api/v1/admin/plans", () => page([aPlan()]));
  const sent = serve("patch", PLAN, () =>
    envelope(200, aPlan({ amount: 600, version: 4 }), "Saved."),
  );
  const { user, dialog } = await openChange();

  await user.clear(within(dialog).getByLabelText(/Price/));
  await user.type(within(dialog).getByLabelText(/Price/), "600");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Saved.")).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({ amount: 600, version: 3 });
  expect(sent[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f-]{36}$/);
});

test("what somebody else has saved meanwhile stands beside it, and mine can be kept", async () => {
  const plans = [aPlan()];
  serve("get", "/api/v1/admin/plans", () => page(plans));
  const sent = serve("patch", PLAN, ({ body }) =>
    (body as { version: number }).version === 3
      ? refusal(409, "stale", "It was changed meanwhile.")
      : envelope(200, aPlan({ amount: 600, version: 5 }), "Saved."),
  );
  const { user, dialog } = await openChange();
  plans[0] = aPlan({ amount: 700, version: 4 });

  await user.clear(within(dialog).getByLabelText(/Price/));
  await user.type(within(dialog).getByLabelText(/Price/), "600");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  const row = await within(dialog).findByRole("row", { name: /Price/ });

  expect(row).toHaveTextContent("700");
  expect(row).toHaveTextContent("600");
  expect(within(dialog).getByRole("alert")).toHaveFocus();

  await user.click(within(dialog).getByRole("button", { name: "Keep mine" }));
  await user.click(within(dialog).getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Saved.")).toBeInTheDocument();
  expect(sent.at(-1)?.body).toEqual({ amount: 600, version: 4 });
});

test("theirs can be taken instead", async () => {
  const plans = [aPlan()];
  serve("get", "/api/v1/admin/plans", () => page(plans));
  serve("patch", PLAN, () => refusal(409, "stale", "It was changed meanwhile."));
  const { user, dialog } = await openChange();
  plans[0] = aPlan({ amount: 700, version: 4 });

  await user.type(within(dialog).getByLabelText(/Price/), "9");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await user.click(await within(dialog).findByRole("button", { name: "Take theirs" }));

  expect(within(dialog).getByLabelText(/Price/)).toHaveValue("700");
});

test("a wish without an answer goes out again under its key, another one under its own", async () => {
  serve("get", "/api/v1/admin/plans", () => page([aPlan()]));
  const sent = serve("patch", PLAN, () => HttpResponse.error());
  const { user, dialog } = await openChange();
  const price = within(dialog).getByLabelText(/Price/);
  const save = within(dialog).getByRole("button", { name: "Save" });

  await user.type(price, "0");
  await user.click(save);
  await screen.findByText(/No answer from the server/);
  await user.click(save);
  await waitFor(() => expect(sent.length).toBe(2));
  await user.type(price, "0");
  await user.click(save);
  await waitFor(() => expect(sent.length).toBe(3));

  const [first, second, third] = sent.map(({ headers }) => headers.get("Idempotency-Key"));
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test("a wish without an answer is the same wish in another dialog, too", async () => {
  serve("get", "/api/v1/admin/plans", () => page([aPlan()]));
  const sent = serve("patch", PLAN, () => HttpResponse.error());
  const { user, dialog } = await openChange();
  await user.type(within(dialog).getByLabelText(/Price/), "0");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  await screen.findByText(/No answer from the server/);
  await user.click(within(dialog).getByRole("button", { name: "Close" }));
  await user.click(await screen.findByRole("button", { name: "Discard" }));

  await user.click(await screen.findByRole("button", { name: "Change" }));
  const again = await screen.findByRole("dialog", { name: "Change Terrace" });
  await user.type(within(again).getByLabelText(/Price/), "0");
  await user.click(within(again).getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sent.length).toBe(2));

  const [first, second] = sent.map(({ headers }) => headers.get("Idempotency-Key"));
  expect(second).toBe(first);
});

test("a fresh code is asked for once, and the same wish goes on", async () => {
  serve("get", "/api/v1/admin/plans", () => page([aPlan()]));
  serve("post", "/api/v1/admin/fresh", () => envelope(200, {}));
  const sent = serve("patch", PLAN, () =>
    sent.length === 1
      ? refusal(409, "fresh_code_needed", "Enter a fresh code.")
      : envelope(200, aPlan({ version: 4 }), "Saved."),
  );
  const { user, dialog } = await openChange();

  await user.type(within(dialog).getByLabelText(/Price/), "0");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  const prompt = await screen.findByRole("dialog", { name: "Enter a fresh code" });
  await user.type(within(prompt).getByLabelText("Code"), "123456");
  await user.click(within(prompt).getByRole("button", { name: "Go on" }));

  expect(await screen.findByText("Saved.")).toBeInTheDocument();
  const keys = new Set(sent.map(({ headers }) => headers.get("Idempotency-Key")));
  expect(sent).toHaveLength(2);
  expect(keys.size).toBe(1);
});

test("without the code nothing is done, and nothing is lost", async () => {
  serve("get", "/api/v1/admin/plans", () => page([aPlan()]));
  const sent = serve("patch", PLAN, () => refusal(409, "fresh_code_needed", "Enter a fresh code."));
  const { user, dialog } = await openChange();

  await user.type(within(dialog).getByLabelText(/Price/), "0");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  const prompt = await screen.findByRole("dialog", { name: "Enter a fresh code" });
  await user.click(within(prompt).getByRole("button", { name: "Close" }));

  expect(sent).toHaveLength(1);
  expect(within(dialog).getByLabelText(/Price/)).toHaveValue("5000");
});

test("what the form can see is wrong is not sent, and the first of it is gone to", async () => {
  serve("get", "/api/v1/admin/plans", () => page([]));
  const sent = serve("post", "/api/v1/admin/plans", () => envelope(201, aPlan()));
  const { user } = openOffice("/plans");

  await user.click(await screen.findByRole("button", { name: "New plan" }));
  const dialog = await screen.findByRole("dialog", { name: "New plan" });
  await user.click(within(dialog).getByRole("button", { name: "Save" }));

  expect(within(dialog).getByLabelText(/Name/)).toHaveFocus();
  expect(within(dialog).getAllByText("This is needed").length).toBeGreaterThan(1);
  expect(sent).toHaveLength(0);
});

test("the server's sentences stand at their fields", async () => {
  serve("get", "/api/v1/admin/plans", () => page([aPlan()]));
  serve("patch", PLAN, () =>
    refusal(422, "invalid", "Please correct what is marked.", {
      fields: { plan: "A plan has this name." },
    }),
  );
  const { user, dialog } = await openChange();

  await user.type(within(dialog).getByLabelText(/Name/), "!");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));

  expect(await within(dialog).findByText("A plan has this name.")).toBeInTheDocument();
});

test("what was typed is not thrown away without a question", async () => {
  serve("get", "/api/v1/admin/plans", () => page([aPlan()]));
  const { user, dialog } = await openChange();

  await user.type(within(dialog).getByLabelText(/Name/), "!");
  await user.click(within(dialog).getByRole("button", { name: "Close" }));
  const question = await screen.findByRole("dialog", { name: "Discard your changes?" });
  await user.click(within(question).getByRole("button", { name: "Close" }));

  expect(within(dialog).getByLabelText(/Name/)).toHaveValue("Terrace!");

  await user.click(within(dialog).getByRole("button", { name: "Close" }));
  await user.click(await screen.findByRole("button", { name: "Discard" }));

  expect(screen.queryByRole("dialog")).toBeNull();
});

test("what waiting for approval is said so", async () => {
  serve("get", "/api/v1/admin/plans", () => page([aPlan()]));
  serve("post", `${PLAN}/gifts`, () => envelope(202, { approval: {} }, "It waiting for approval."));
  const { user } = openOffice("/plans");

  await user.click(await screen.findByRole("button", { name: "Gift a plan" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(
    within(dialog).getByLabelText(/Member IDs/),
    "0199f2a4-0000-7000-8000-00000000000b",
  );
  await user.type(within(dialog).getByLabelText(/Periods/), "1");
  await user.type(within(dialog).getByLabelText(/Reason/), "Prize");
  await user.click(within(dialog).getByRole("button", { name: "Gift a plan" }));

  expect(await screen.findByText("It waiting for approval.")).toBeInTheDocument();
});
