import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { anOrder } from "@/test/factories";
import { envelope, serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const OPERATOR = anOperator({ rights: ["orders:confirm", "shop:read"] });

const anOrderOfSomebody = (facts: object = {}) => ({
  ...anOrder({ payment_method: "bank-transfer", status: "pending", is_paid: false }),
  itemsTotal: 5001,
  deliveryFee: 0,
  refundedTotal: 0,
  received: 0,
  transfer: null,
  proofs: [],
  events: [],
  canCancel: false,
  canUploadProof: true,
  approvalId: null,
  member: { id: "m", firstName: "Ada", lastName: "Obi", email: "ada@example.com", phone: null },
  ...facts,
});

test("a receipt under review says when its order expires, a decided one does not", async () => {
  const [at, expiresAt] = ["2026-11-21T08:00:00Z", "2026-11-28T08:00:00Z"];
  const proofs = [
    { id: "p1", state: "rejected", reason: "Blurred", at, expiresAt: null },
    { id: "p2", state: "waiting", reason: null, at, expiresAt },
  ];
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOfSomebody({ proofs })));
  serve("get", "/api/v1/admin/banks", () => envelope(200, []));
  openOffice("/orders/FC-7K3Q9X", OPERATOR);

  const panel = within(await screen.findByRole("region", { name: "Proofs of payment" }));

  expect(panel.getAllByText(/The order expires on/)).toHaveLength(1);
  expect(panel.getByText(/The order expires on 28 November 2026, 9:00 am/)).toBeVisible();
});

const CONFIRMATION = "Confirm transfer: waits for a second person";

test("a transfer whose confirmation waits is not confirmed again, and leads to the proposal", async () => {
  serve("get", "/api/v1/admin/orders/:order", () =>
    envelope(200, anOrderOfSomebody({ approvalId: "a1" })),
  );
  openOffice("/orders/FC-7K3Q9X", OPERATOR);

  expect(await screen.findByRole("link", { name: CONFIRMATION })).toHaveAttribute(
    "href",
    "/approvals?state=open#a1",
  );
  expect(screen.queryByRole("button", { name: "Confirm transfer" })).toBeNull();
});

test("without a proposal nothing waits", async () => {
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOfSomebody()));
  serve("get", "/api/v1/admin/banks", () => page([]));
  openOffice("/orders/FC-7K3Q9X", OPERATOR);

  expect(await screen.findByRole("button", { name: "Confirm transfer" })).toBeVisible();
  expect(screen.queryByText(/waits for a second person/)).toBeNull();
});
