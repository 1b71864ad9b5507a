import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const MEMBER = "0199f2a4-0000-7000-8000-0000000000a1";
const PLAN = "0199f2a4-0000-7000-8000-0000000000c1";

function anEntry(facts: object = {}) {
  return {
    id: "0199f2a4-0000-7000-8000-0000000000e1",
    at: "2026-11-21T12:00:00Z",
    operator: { id: "0199f2a4-0000-7000-8000-00000000000a", name: "Ops Desk" },
    right: "adjust:propose",
    action: "adjust",
    targetType: "member",
    targetId: MEMBER,
    before: null,
    after: {
      user_id: MEMBER,
      plan_id: PLAN,
      amount_kobo: 250_050,
      balance: 5000,
      attempts: 3,
      fees_kobo: { Lagos: 150_000 },
    },
    reason: "Lost parcel",
    requestId: "r",
    subjects: [
      { type: "member", id: MEMBER, name: "Ada Obi" },
      { type: "plan", id: PLAN, name: "Terrace" },
    ],
    ...facts,
  };
}

function serveAudit(entry: object) {
  serve("get", "/api/v1/admin/audit/operators", () =>
    page([{ id: "0199f2a4-0000-7000-8000-00000000000a", name: "Ops Desk" }]),
  );
  return serve("get", "/api/v1/admin/audit", () => page([entry]));
}

const AUDITOR = { rights: ["audit:read", "members:read"] } as const;

test("an entry names whom it is about, and writes amounts as naira", async () => {
  serveAudit(anEntry());
  const { user } = openOffice("/logs", anOperator({ rights: [...AUDITOR.rights] }));

  const table = await screen.findByRole("table");
  await user.click(within(table).getByText("Show"));

  const [link] = within(table).getAllByRole("link", { name: "Ada Obi" });
  expect(link).toHaveAttribute("href", `/members/${MEMBER}`);
  expect(table).toHaveTextContent("PlanTerrace");
  expect(table).toHaveTextContent("Amount₦2,500.50");
  expect(table).toHaveTextContent("Balance₦5,000.00");
  expect(table).toHaveTextContent("Attempts3");
  expect(table).toHaveTextContent("Lagos₦1,500.00");
});

test("without a name the id stands there", async () => {
  serveAudit(anEntry({ subjects: [], after: null }));
  openOffice("/logs", anOperator({ rights: ["audit:read"] }));

  expect(await screen.findByText(`Member ${MEMBER}`)).toBeInTheDocument();
});

test("the operator of entries is picked from a list", async () => {
  const asked = serveAudit(anEntry());
  const { user } = openOffice("/logs", anOperator({ rights: ["audit:read"] }));

  await user.selectOptions(
    await screen.findByRole("combobox", { name: "Operator" }),
    await screen.findByRole("option", { name: "Ops Desk" }),
  );

  await waitFor(() => expect(asked.at(-1)?.url.searchParams.get("operator")).toBe(anOperator().id));
});

test("an action is named in words", async () => {
  serveAudit(anEntry({ action: "look-at-member", right: "members:read" }));
  openOffice("/logs", anOperator({ rights: [...AUDITOR.rights] }));

  const table = await screen.findByRole("table");
  expect(within(table).getByRole("cell", { name: "Viewed member" })).toBeVisible();
  expect(within(table).getByRole("columnheader", { name: "Permission" })).toBeVisible();
});
