import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const FINANCE = anOperator({ rights: ["refund:ask", "refund:send"] });
const WAITS = "Send refund: waiting for approval";

const aRefund = (facts: object = {}) => ({
  id: "0199f2a4-0000-7000-8000-0000000000f3",
  subject: "order",
  subjectId: "0199f2a4-0000-7000-8000-0000000000f1",
  bought: "order FC-7K3Q9X",
  member: { id: "m", firstName: "Ada", lastName: "Obi" },
  amount: 150_000,
  restock: false,
  endsPlan: false,
  reason: "The club folds",
  state: "asked",
  askedAt: "2026-11-25T08:00:00Z",
  decidedAt: null,
  refusal: null,
  canRefuse: true,
  approvalId: null,
  ...facts,
});

async function openRefund(refund: object, operator = FINANCE) {
  serve("get", "/api/v1/admin/refunds", () => page([refund]));
  openOffice("/refunds", operator);
  return within(await screen.findByRole("row", { name: /FC-7K3Q9X/ }));
}

test("a refund that was asked for is sent or refused", async () => {
  const row = await openRefund(aRefund());

  expect(row.getByRole("button", { name: "Send refund" })).toBeVisible();
  expect(row.getByRole("button", { name: "Refuse" })).toBeVisible();
});

test("a refund that the club owes cannot be refused", async () => {
  const row = await openRefund(aRefund({ canRefuse: false }));

  expect(row.getByRole("button", { name: "Send refund" })).toBeVisible();
  expect(row.queryByRole("button", { name: "Refuse" })).toBeNull();
});

test("a refund whose sending waits is not sent again, and leads to the proposal", async () => {
  const row = await openRefund(aRefund({ approvalId: "a1" }));

  expect(row.getByRole("link", { name: WAITS })).toHaveAttribute(
    "href",
    "/approvals?state=open#a1",
  );
  expect(row.queryByRole("button", { name: "Send refund" })).toBeNull();
});

test("who may not send reads that it waits, without a way to a proposal they cannot see", async () => {
  const shop = anOperator({ rights: ["refund:ask"] });
  const row = await openRefund(aRefund({ approvalId: "a1" }), shop);

  expect(row.getByText(WAITS)).toBeVisible();
  expect(row.queryByRole("link", { name: WAITS })).toBeNull();
});

test("a refund leads to its order for who may read it", async () => {
  const row = await openRefund(aRefund(), anOperator({ rights: ["refund:ask", "shop:read"] }));

  expect(row.getByRole("link", { name: "Order FC-7K3Q9X" })).toHaveAttribute(
    "href",
    "/orders/0199f2a4-0000-7000-8000-0000000000f1",
  );
});
