import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { anOrder } from "@/test/factories";
import { envelope, serve } from "@/test/server";
import type { Operator } from "~/api/operator";
import { aListedOrder } from "~/test/orders";
import { anOperator, openOffice, page } from "~/test/render";

const OPERATOR = anOperator({ rights: ["orders:confirm", "shop:read"] });

const anOrderOf = (facts: object = {}) => ({
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
  transfers: [],
  openReviewCases: [],
  openRefunds: [],
  member: { id: "m", firstName: "Ada", lastName: "Obi", email: "ada@example.com", phone: null },
  ...facts,
});

beforeEach(() => serve("get", "/api/v1/admin/orders/:order/notes", () => page([])));

test("a note is added with its line breaks, and says that the member can read it", async () => {
  const notes: object[] = [];
  const sent: unknown[] = [];
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOf()));
  serve("get", "/api/v1/admin/orders/:order/notes", () => page(notes));
  serve("post", "/api/v1/admin/orders/:order/notes", ({ body }) => {
    const { text } = body as { text: string };
    sent.push(text);
    notes.push({
      id: "n1",
      at: "2026-11-21T08:00:00Z",
      operator: { id: "o", name: "Olu A." },
      text,
    });
    return envelope(201, { id: "n1" });
  });
  const { user } = openOffice("/orders/FC-7K3Q9X", OPERATOR);
  const panel = within(await screen.findByRole("region", { name: "Notes" }));
  expect(await panel.findByText("No notes yet.")).toBeVisible();

  await user.click(panel.getByRole("button", { name: "New note" }));
  const dialog = within(screen.getByRole("dialog", { name: "New note" }));
  expect(dialog.getByText(/the member, in the export/)).toBeVisible();
  await user.type(dialog.getByRole("textbox"), "After 5 p.m.{enter}Gate 4711");
  await user.click(dialog.getByRole("button", { name: "Save" }));

  expect(await panel.findByText(/After 5 p\.m\./)).toHaveTextContent("After 5 p.m. Gate 4711");
  expect(panel.getByText("Olu A.")).toBeVisible();
  expect(sent).toEqual(["After 5 p.m.\nGate 4711"]);
});

test("about the order of a member who has left nothing new is written", async () => {
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOf({ billing: {} })));
  openOffice("/orders/FC-7K3Q9X", OPERATOR);

  const panel = within(await screen.findByRole("region", { name: "Notes" }));

  expect(await panel.findByText("No notes yet.")).toBeVisible();
  expect(panel.queryByRole("button")).toBeNull();
});

test("a receipt under review says when its order expires, a decided one does not", async () => {
  const [at, expiresAt] = ["2026-11-21T08:00:00Z", "2026-11-28T08:00:00Z"];
  const proofs = [
    { id: "p1", state: "rejected", reason: "Blurred", at, expiresAt: null },
    { id: "p2", state: "waiting", reason: null, at, expiresAt },
  ];
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOf({ proofs })));
  serve("get", "/api/v1/admin/banks", () => envelope(200, []));
  openOffice("/orders/FC-7K3Q9X", OPERATOR);

  const panel = within(await screen.findByRole("region", { name: "Proofs of payment" }));

  expect(panel.getAllByText(/The order expires on/)).toHaveLength(1);
  expect(panel.getByText(/The order expires on 28 Nov( 2026)?, 09:00/)).toBeVisible();
});

test("the receipt is beside the form, which is filled with what is missing and its day", async () => {
  const proof = { id: "p1", state: "waiting", reason: null, at: "2026-11-21T23:30:00Z" };
  const order = anOrderOf({ total: 5001, received: 1.5, proofs: [{ ...proof, expiresAt: null }] });
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, order));
  serve("get", "/api/v1/admin/banks", () => page([{ code: "058", name: "GTBank" }]));
  serve("get", "/api/v1/admin/orders/:order/proofs/:proof", () => {
    return new Response("picture", { headers: { "Content-Type": "image/png" } });
  });
  const rights: Operator["rights"] = ["orders:confirm", "shop:read", "money:read"];
  const { user } = openOffice("/orders/FC-7K3Q9X", anOperator({ rights }));

  await user.click(await screen.findByRole("button", { name: "Confirm transfer" }));

  const dialog = within(screen.getByRole("dialog", { name: "Confirm transfer" }));
  expect(await dialog.findByAltText("The member's receipt")).toBeVisible();
  expect(dialog.getByLabelText(/^Amount in naira/)).toHaveValue("4999.5");
  expect(dialog.getByLabelText(/^Paid on/)).toHaveValue("2026-11-22");
  expect(dialog.getByLabelText(/^Bank/)).toHaveFocus();
});

test("the packing slip has what is still to be sent, without prices", async () => {
  const billing = { firstName: "Ada", lastName: "Obi", address: "14 Aba Road", state: "Rivers" };
  const line = { name: "Club Scarf", size: "M", price: 2500, quantity: 3, refundedQuantity: 1 };
  const order = anOrderOf({
    ...{ status: "processing", is_paid: true },
    billing: { ...billing, phone: "08030000001" },
    product_meta_data: [
      { ...line, line: 1 },
      { ...line, line: 2, name: "Mug", quantity: 1 },
    ],
  });
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, order));
  const printed = vi.spyOn(window, "print").mockReturnValue();
  const { user } = openOffice("/orders/FC-7K3Q9X", OPERATOR);

  await user.click(await screen.findByRole("button", { name: "Print packing slip" }));

  await waitFor(() => expect(printed).toHaveBeenCalledOnce());
  const slip = document.querySelector(".packing-slip");
  expect(slip).toHaveTextContent("14 Aba Road, Rivers");
  expect(slip).toHaveTextContent("2Club Scarf, M");
  expect(slip).toHaveTextContent("FromKing of Fans");
  expect(slip).toHaveTextContent("2 items in total");
  expect(slip).not.toHaveTextContent(/Mug|2,?500/);
});

test("an order that a colleague cancelled meanwhile prints no packing slip", async () => {
  let status = "processing";
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOf({ status })));
  const printed = vi.spyOn(window, "print").mockReturnValue();
  const { user } = openOffice("/orders/FC-7K3Q9X", OPERATOR);
  const button = await screen.findByRole("button", { name: "Print packing slip" });
  status = "cancelled";

  await user.click(button);

  await waitFor(() => expect(button).not.toBeInTheDocument());
  expect(document.querySelector(".packing-slip")).toBeNull();
  expect(printed).not.toHaveBeenCalled();
});

const CONFIRMATION = "Confirm transfer: waiting for approval";

test("a transfer whose confirmation waits is not confirmed again, and leads to the proposal", async () => {
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOf({ approvalId: "a1" })));
  openOffice("/orders/FC-7K3Q9X", OPERATOR);

  expect(await screen.findByRole("link", { name: CONFIRMATION })).toHaveAttribute(
    "href",
    "/approvals?state=open#a1",
  );
  expect(screen.queryByRole("button", { name: "Confirm transfer" })).toBeNull();
});

test("without a proposal nothing waits", async () => {
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOf()));
  serve("get", "/api/v1/admin/banks", () => page([]));
  openOffice("/orders/FC-7K3Q9X", OPERATOR);

  expect(await screen.findByRole("button", { name: "Confirm transfer" })).toBeVisible();
  expect(screen.queryByText(/waiting for approval/)).toBeNull();
});

async function readCancelling(order: object, ...more: Operator["rights"]) {
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOf(order)));
  serve("get", "/api/v1/admin/banks", () => page([]));
  const { user } = openOffice(
    "/orders/FC-7K3Q9X",
    anOperator({ rights: ["orders:confirm", "shop:read", "shop:write", ...more] }),
  );
  await user.click(await screen.findByRole("button", { name: "Cancel order" }));
  return screen.getByRole("dialog", { name: "Cancel order" });
}

const PAID = { status: "processing", is_paid: true, received: 5001, total: 5001 };

test("who cancels what nobody has paid reads that no money moves", async () => {
  const dialog = await readCancelling({ total: 5001 });

  expect(dialog).toHaveTextContent("Nothing was received for this order, so no money moves.");
});

test("who cancels what is paid in part reads where the parts go, and when it needs two", async () => {
  const dialog = await readCancelling({ total: 5001, received: 2000 });

  expect(dialog).toHaveTextContent("The ₦2,000.00 received so far goes to the member's wallet");
  expect(dialog).toHaveTextContent(
    "If it is more than you may credit alone, or the order is your own, it becomes a review case",
  );
});

test("who may send refunds reads that what is left of the payment is sent at once", async () => {
  const dialog = await readCancelling({ ...PAID, refundedTotal: 1000 }, "refund:send");

  expect(dialog).toHaveTextContent("The ₦4,001.00 paid and not refunded yet becomes a refund");
  expect(dialog).toHaveTextContent("to the member's wallet at once, not to a bank account");
  expect(dialog).toHaveTextContent(
    "If it is more than you may refund alone, or the order is your own, a second operator has to approve the refund",
  );
  expect(dialog).toHaveTextContent("It replaces refunds already requested for this order.");
});

test("who may not send refunds reads that the refund waits to be sent", async () => {
  const dialog = await readCancelling(PAID);

  expect(dialog).toHaveTextContent("The ₦5,001.00 paid and not refunded yet becomes a refund");
  expect(dialog).toHaveTextContent("It waits under Refunds until an operator sends it");
  expect(dialog).not.toHaveTextContent("at once");
});

test("the focus goes from an action that is gone to the panel that it was in", async () => {
  let status = "processing";
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOf({ ...PAID, status })));
  serve("post", "/api/v1/admin/orders/:order/cancel", () => {
    status = "cancelled";
    return envelope(200, { status, refund: null }, "Cancelled.");
  });
  const { user } = openOffice(
    "/orders/FC-7K3Q9X",
    anOperator({ rights: ["shop:read", "shop:write"] }),
  );
  await user.click(await screen.findByRole("button", { name: "Cancel order" }));
  const dialog = within(screen.getByRole("dialog"));
  await user.type(dialog.getByLabelText(/^Reason/), "It folds");
  await user.click(dialog.getByRole("button", { name: "Cancel order" }));

  const panel = await screen.findByRole("region", { name: /^(FC|KOF)-/ });
  await waitFor(() => expect(panel).toHaveFocus());
});

const aTransfer = {
  bank: "058",
  reference: "NIP0001",
  amount: 2000,
  paidOn: "2026-11-24",
  confirmedAt: "2026-11-25T08:00:00Z",
  confirmedBy: { id: "k", name: "Kemi Ade" },
};

function openOrder(order: object, address = "/orders/FC-7K3Q9X") {
  serve("get", "/api/v1/admin/orders/:order", () => envelope(200, anOrderOf(order)));
  serve("get", "/api/v1/admin/banks", () => page([{ code: "058", name: "Guaranty Trust Bank" }]));
  return openOffice(address, OPERATOR);
}

test("a confirmed transfer says its bank, reference, day and who confirmed it", async () => {
  openOrder({ transfers: [aTransfer] });

  const panel = within(await screen.findByRole("region", { name: "Confirmed transfers" }));
  expect(await panel.findByText("Guaranty Trust Bank")).toBeVisible();
  for (const text of ["NIP0001", "24 Nov 2026", "₦2,000.00", "Kemi Ade"]) {
    expect(panel.getByText(text)).toBeVisible();
  }
});

test("what waits of an order's money is said, and leads to where it is decided", async () => {
  openOrder({
    openReviewCases: [{ id: "c", amount: 999 }],
    openRefunds: [{ id: "r", amount: 5001 }],
  });

  const link = (name: string) => screen.getByRole("link", { name });
  expect(
    await screen.findByRole("link", { name: "A review case of ₦999.00 waits to be decided" }),
  ).toHaveAttribute("href", "/money/review-cases?state=open");
  expect(link("A refund of ₦5,001.00 waits to be sent")).toHaveAttribute(
    "href",
    "/refunds?state=asked",
  );
});

test("an order whose member has left says so in the place of the address", async () => {
  openOrder({ billing: {} });

  expect(await screen.findByText("Former member")).toBeVisible();
  expect(screen.queryByText(/undefined/)).toBeNull();
});

test.each([
  ["NIP/0001", ""],
  ["NIP/0002", "NIP/0002"],
])("the bank's reference %s is filled in unless it is confirmed", async (reference, filledIn) => {
  const { user } = openOrder(
    { received: 2000, transfers: [aTransfer] },
    `/orders/FC-7K3Q9X?amount=2000&paidOn=2026-11-24&reference=${encodeURIComponent(reference)}`,
  );

  await user.click(await screen.findByRole("button", { name: "Confirm transfer" }));

  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getByLabelText(/^Reference/)).toHaveValue(filledIn);
});

test("orders whose receipt waits are marked, counted, and one press away", async () => {
  const asked = serve("get", "/api/v1/admin/orders", ({ url }) =>
    page(
      url.searchParams.get("proof") === "waiting"
        ? [aListedOrder(2)]
        : [aListedOrder(1), aListedOrder(2)],
    ),
  );
  const { user } = openOffice("/orders", OPERATOR);
  serve("get", "/api/v1/admin/today", () =>
    envelope(200, { waiting: { transferProofs: 1 }, proposed: 0, ledger: null, backup: null }),
  );

  const row = await screen.findByRole("row", { name: /FC-2/ });
  expect(await within(row).findByText("Waiting")).toBeVisible();
  expect(within(screen.getByRole("row", { name: /FC-1/ })).queryByText("Waiting")).toBeNull();

  await user.click(screen.getByRole("link", { name: "Receipts waiting (1)" }));

  await waitFor(() => expect(screen.queryByRole("link", { name: "FC-1" })).toBeNull());
  expect(screen.getByRole("link", { name: "FC-2" })).toBeVisible();
  expect(asked.at(-1)?.url.searchParams.get("proof")).toBe("waiting");
});
