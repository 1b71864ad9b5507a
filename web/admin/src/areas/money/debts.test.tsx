import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const FINANCE = anOperator({ rights: ["money:read", "money:write"] });

const aDebt = (facts: object = {}) => ({
  id: "0199f2a4-0000-7000-8000-0000000000f2",
  member: { id: "m", firstName: "Ada", lastName: "Obi" },
  fundingReference: "KOF-1",
  caseId: "77",
  amount: 2000,
  debt: 1500,
  state: "open",
  openedAt: "2026-11-25T08:00:00Z",
  settledAt: null,
  approvalId: null,
  ...facts,
});

function openDebts(...rows: object[]) {
  serve("get", "/api/v1/admin/debts", () => page(rows));
  return openOffice("/money/debts", FINANCE);
}

test("a debt whose write-off waits leads to the proposal, and can still be collected", async () => {
  openDebts(aDebt({ approvalId: "a1" }));

  const row = within(await screen.findByRole("row", { name: /KOF-1/ }));
  expect(row.getByRole("link", { name: "Write off: waiting for approval" })).toHaveAttribute(
    "href",
    "/approvals?state=open#a1",
  );
  expect(row.queryByRole("button", { name: "Write off" })).toBeNull();
  expect(row.getByRole("button", { name: "Collect" })).toBeVisible();
});

test("a debt for which nothing waits can be collected and written off", async () => {
  openDebts(aDebt());

  expect(await screen.findByRole("button", { name: "Write off" })).toBeVisible();
  expect(screen.queryByText(/waiting for approval/)).toBeNull();
});

test.each([
  ["Collect", "Collect ₦1,500.00 from Ada Obi"],
  ["Write off", "Write off ₦1,500.00 that Ada Obi owes"],
])("the dialog of %s says whose debt it is, and how much", async (button, name) => {
  const { user } = openDebts(aDebt());

  await user.click(await screen.findByRole("button", { name: button }));

  expect(screen.getByRole("dialog", { name })).toBeInTheDocument();
});

test("what was written off is not said to be owed still", async () => {
  openDebts(aDebt({ state: "written_off", settledAt: "2026-11-26T08:00:00Z" }));

  const row = await screen.findByRole("row", { name: /KOF-1/ });
  const cell = (title: string) => row.querySelector(`[data-title="${title}"]`);
  expect(cell("Still owed")).toHaveTextContent("–");
  expect(cell("State")).toHaveTextContent("Written off₦1,500.00 was lost");
});
