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
  orderNumber: "FC-7K3Q9X",
  fundingReference: null,
  reports: [],
  state: "open",
  openedAt: "2026-11-25T08:00:00Z",
  decidedAt: null,
  reason: null,
  ...facts,
});

const aFundingCase = (facts: object = {}) =>
  aCase({
    kind: "amount",
    reasons: ["amount", "currency", "member"],
    amount: 5000,
    subject: "FW-8764",
    orderNumber: null,
    fundingReference: "FW-8764",
    reports: [
      {
        amount: 4999,
        requested: 5000,
        currency: "GHS",
        mode: "test",
        memberId: "u",
        member: { id: "u", firstName: "Uche", lastName: "Obi" },
        receivedAt: "2026-11-25T08:00:00Z",
      },
    ],
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

test("the dialogs say whose case it is, and of how much", async () => {
  const { user } = openCases(aCase());

  await user.click(await screen.findByRole("button", { name: "Accept" }));
  screen.getByRole("dialog", { name: "Accept review case: Ada Obi, ₦1,500.00" });
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "Refuse" }));

  screen.getByRole("dialog", { name: "Refuse review case: Ada Obi, ₦1,500.00" });
});

test("a case leads to the order or the funding that it is about", async () => {
  openCases(
    aCase(),
    aFundingCase({ id: "second" }),
    aCase({
      id: "third",
      kind: "chargeback_short",
      reasons: ["chargeback_short"],
      orderNumber: null,
      fundingReference: "FW-99",
    }),
  );

  expect(await screen.findByRole("link", { name: "FC-7K3Q9X" })).toHaveAttribute(
    "href",
    "/orders/FC-7K3Q9X",
  );
  expect(screen.getByRole("link", { name: "FW-8764" })).toHaveAttribute("href", "/money?q=FW-8764");
  expect(screen.getByRole("link", { name: "FW-99" })).toHaveAttribute("href", "/money?q=FW-99");
});

test("who accepts a funding reads what was asked for and what the provider reported", async () => {
  const dialog = await openAccept(aFundingCase());

  const fact = (name: string) => dialog.getByText(name, { selector: "dt" }).nextElementSibling;
  expect(fact("We asked for")).toHaveTextContent("₦5,000.00");
  expect(fact("Paid")).toHaveTextContent("4,999.00 GHS");
  expect(fact("Asked for")).toHaveTextContent("5,000.00 GHS");
  expect(fact("Mode")).toHaveTextContent("Test money");
  expect(within(fact("Member") as HTMLElement).getByRole("link")).toHaveTextContent("Uche Obi");
});

test("what the provider reported is not made up where it is not stored", async () => {
  const dialog = await openAccept(aFundingCase({ reports: [] }));

  expect(dialog.getByText("Not stored here; see the provider's dashboard")).toBeVisible();
});

test("a case that was decided says why", async () => {
  openCases(aCase({ state: "refused", reason: "Sent back by the bank" }));

  const row = within(await screen.findByRole("row", { name: /Surplus/ }));
  expect(row.getByText("Refused")).toBeVisible();
  expect(row.getByText("Sent back by the bank")).toBeVisible();
});

test("a funding in review leads to the cases, where its provider's report is read", async () => {
  const aFunding = {
    id: "f",
    reference: "FW-8764",
    gateway: "paystack",
    amount: 5000,
    state: "review",
    reviewReason: "amount, member",
    transactionId: null,
    member: { id: "m", firstName: "Ada", lastName: "Obi" },
    createdAt: "2026-11-25T08:00:00Z",
    decidedAt: "2026-11-25T08:01:00Z",
    cancelledAt: null,
  };
  serve("get", "/api/v1/admin/fundings", () => page([aFunding]));
  openOffice("/money", FINANCE);

  expect(await screen.findByRole("link", { name: "Amount, member" })).toHaveAttribute(
    "href",
    "/money/review-cases?state=open",
  );
});
