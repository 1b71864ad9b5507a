import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const FINANCE = anOperator({ rights: ["money:read", "money:write", "members:read", "shop:read"] });

const aCase = (facts: object = {}) => ({
  id: "0199f2a4-0000-7000-8000-0000000000f4",
  kind: "surplus",
  reasons: ["surplus"],
  amount: 1500,
  member: { id: "m", firstName: "Ada", lastName: "Obi" },
  subject: "0199f2a4-0000-7000-8000-0000000000f1",
  state: "open",
  openedAt: "2026-11-25T08:00:00Z",
  decidedAt: null,
  reason: null,
  ...facts,
});

function openCases(...rows: object[]) {
  serve("get", "/api/v1/admin/review-cases", () => page(rows));
  return openOffice("/money/review-cases", FINANCE);
}

async function openAccept(found: object) {
  const { user } = openCases(found);
  await user.click(await screen.findByRole("button", { name: "Accept" }));
  return within(screen.getByRole("dialog"));
}

test("accepting money that came in credits it once", async () => {
  const dialog = await openAccept(aCase());

  expect(dialog.getByText("₦1,500.00 is credited to Ada Obi's wallet, once.")).toBeVisible();
});

test("accepting a chargeback that the wallet could not pay credits nothing, and says so", async () => {
  const dialog = await openAccept(
    aCase({ kind: "chargeback_short", reasons: ["chargeback_short"] }),
  );

  expect(
    dialog.getByText(
      "Nothing is credited. The case is closed, and what Ada Obi still owes stays under Debts.",
    ),
  ).toBeVisible();
  expect(dialog.queryByText(/is credited to/)).toBeNull();
});
