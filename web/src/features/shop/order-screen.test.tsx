import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import * as uploading from "@/api/upload";
import type { OrderDetail } from "@/api/wire";
import { anOrder } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

const transfer = {
  accountName: "King of Fans Demo",
  accountNumber: "0000000000",
  bank: "Demo Bank",
  instructions: "Use the order number as reference.",
};

function anOrderDetail(change: Partial<OrderDetail> = {}): OrderDetail {
  return {
    ...anOrder(),
    itemsTotal: 15_000,
    deliveryFee: 0,
    refundedTotal: 0,
    received: 0,
    underReview: 0,
    transfer,
    events: [
      { kind: "placed", status: "pending", at: "2026-11-20T12:30:00Z", by: "member", note: null },
    ],
    proofs: [],
    canCancel: true,
    canUploadProof: true,
    ...change,
  };
}

let order = anOrderDetail();

beforeEach(() => {
  order = anOrderDetail();
  serve("get", "/api/v1/orders/:order", () => envelope(200, order));
  serve("get", "/api/v1/products/user/:id", () => envelope(200, [order]));
  serve("get", "/api/v1/products/checkout-options", () =>
    envelope(200, { bankTransfer: transfer }),
  );
});

test("an unpaid order says until when to pay, where to, and what has happened", async () => {
  openAppAsMember(`/shopping/${order.id}`);

  const payment = await screen.findByRole("region", { name: "Payment" });
  expect(payment).toHaveTextContent("Pay before 23 November 2026, 1:30 pm");
  expect(within(payment).getByRole("button", { name: "Copy reference" })).toBeInTheDocument();
  const timeline = screen.getByRole("region", { name: "Timeline" });
  expect(within(timeline).getAllByRole("listitem")).toHaveLength(1);
  expect(timeline).toHaveTextContent("Order placed20 November 2026, 1:30 pm");
});

test("what came in short is said with what is missing", async () => {
  order = anOrderDetail({ received: 4_000.5, total: 15_000 });
  openAppAsMember(`/shopping/${order.id}`);

  const payment = await screen.findByRole("region", { name: "Payment" });
  expect(payment).toHaveTextContent("₦4,000.50 has arrived");
  expect(payment).toHaveTextContent("Please send the missing ₦10,999.50.");
});

test("a paid order on its way shows its whole story and cannot be cancelled", async () => {
  const [placed] = order.events;
  order = anOrderDetail({
    status: "shipped",
    is_paid: true,
    canCancel: false,
    transfer: null,
    events: [
      ...(placed ? [placed] : []),
      { kind: "paid", status: "processing", at: "2026-11-21T08:00:00Z", by: "admin", note: null },
      {
        kind: "shipped",
        status: "shipped",
        at: "2026-11-22T08:00:00Z",
        by: "admin",
        note: "GIG 77",
      },
    ],
  });
  openAppAsMember(`/shopping/${order.orderNumber}`);

  const timeline = await screen.findByRole("region", { name: "Timeline" });
  const steps = within(timeline).getAllByRole("listitem");
  expect(steps.map((step) => step.querySelector("strong")?.textContent)).toEqual([
    "Order placed",
    "Payment received",
    "On its way",
  ]);
  expect(steps[2]).toHaveTextContent("GIG 77");
  expect(screen.queryByRole("region", { name: "Payment" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Cancel order" })).toBeNull();
});

test("a cancelled order says what still has to come back", async () => {
  order = anOrderDetail({
    status: "cancelled",
    is_paid: true,
    canCancel: false,
    transfer: null,
    total: 150_000,
    received: 150_000,
    refundedTotal: 20_000,
  });
  openAppAsMember(`/shopping/${order.id}`);

  expect(await screen.findByText(/has to be returned to your wallet/)).toHaveTextContent(
    "₦130,000.00 still has to be returned to your wallet. Someone at the club has to send it.",
  );
  expect(screen.getByText("Back in your wallet").nextSibling).toHaveTextContent("₦20,000.00");
});

test("an order says what was sent beyond its total and is being checked", async () => {
  order = anOrderDetail({
    status: "processing",
    is_paid: true,
    transfer: null,
    total: 16_500,
    received: 18_000,
    underReview: 1_500,
  });
  openAppAsMember(`/shopping/${order.id}`);

  expect(await screen.findByText(/is checking it/)).toHaveTextContent(
    "You sent ₦1,500.00 more than the order costs. The club is checking it before it goes to your wallet.",
  );
});

test("cancelling asks first, is sent once with its key, and shows the order as it is then", async () => {
  const sent = serve("post", "/api/v1/orders/:order/cancel", () => {
    order = anOrderDetail({ status: "cancelled", canCancel: false, transfer: null });
    return envelope(200, { status: "cancelled", refunded: 15_000, balance: 20_000 });
  });
  order = anOrderDetail({ status: "processing", is_paid: true, received: 15_000, transfer: null });
  const { user } = openAppAsMember(`/shopping/${order.id}`);

  await user.click(await screen.findByRole("button", { name: "Cancel order" }));
  const dialog = screen.getByRole("dialog", { name: "Cancel order" });
  expect(dialog).toHaveTextContent("return ₦15,000.00 to your wallet");
  expect(sent).toHaveLength(0);
  await user.dblClick(within(dialog).getByRole("button", { name: "Yes, cancel it" }));

  expect(
    await screen.findByText("Your order is cancelled. ₦15,000.00 is in your wallet."),
  ).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.queryByRole("button", { name: "Cancel order" })).toBeNull();
  expect(screen.getAllByText("Cancelled")[0]).toHaveClass("badge-neutral");
  expect(sent).toHaveLength(1);
  expect(sent[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f-]{36}$/);
});

test("after a lost answer the dialog stays and the same wish goes out under the same key", async () => {
  let lost = true;
  const sent = serve("post", "/api/v1/orders/:order/cancel", () =>
    lost ? Response.error() : envelope(200, { status: "cancelled", refunded: 0, balance: 20_000 }),
  );
  const { user } = openAppAsMember(`/shopping/${order.id}`);
  await user.click(await screen.findByRole("button", { name: "Cancel order" }));
  await user.click(screen.getByRole("button", { name: "Yes, cancel it" }));
  expect(await screen.findByText(/it will only be done once/)).toBeInTheDocument();

  lost = false;
  await user.click(screen.getByRole("button", { name: "Yes, cancel it" }));

  await screen.findByText("Your order is cancelled.");
  expect(sent[1]?.headers.get("Idempotency-Key")).toBe(sent[0]?.headers.get("Idempotency-Key"));
});

test("an order that was sent off meanwhile says so and shows where it is", async () => {
  serve("post", "/api/v1/orders/:order/cancel", () => {
    order = anOrderDetail({ status: "shipped", is_paid: true, canCancel: false });
    return refusal(409, "wrong_state", "This order is on its way already.");
  });
  const { user } = openAppAsMember(`/shopping/${order.id}`);
  await user.click(await screen.findByRole("button", { name: "Cancel order" }));
  await user.click(screen.getByRole("button", { name: "Yes, cancel it" }));

  await screen.findByText("This order is on its way already.");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(await screen.findByText("Shipped")).toBeInTheDocument();
});

test("an order of somebody else is not found", async () => {
  serve("get", "/api/v1/orders/:order", () => refusal(404, "not_found", "Not found."));
  openAppAsMember("/shopping/FC-AAAAAA");

  expect(await screen.findByText("Order not found")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Go to your orders" })).toHaveAttribute(
    "href",
    "/shopping",
  );
});

test("the purchases lead to each order", async () => {
  const { user } = openAppAsMember("/shopping");

  await user.click(await screen.findByRole("link", { name: "View order FC-7K3Q9X" }));

  expect(await screen.findByRole("region", { name: "Timeline" })).toBeInTheDocument();
  expect(screen.getByRole("heading", { level: 1, name: "Order" })).toBeInTheDocument();
});

const file = (size = 100) => new File([new Uint8Array(size)], "receipt.png", { type: "image/png" });

test("a proof of payment is sent once with its key, and shows as looked at", async () => {
  // jsdom does not report upload progress; a real browser does in e2e.
  const upload = vi.spyOn(uploading, "upload").mockImplementation(async () => {
    const [at, expiresAt] = ["2026-11-21T08:00:00Z", "2026-11-28T08:00:00Z"] as const;
    const proof = { id: "p", state: "waiting" as const, reason: null, at, expiresAt };
    order = anOrderDetail({ proofs: [proof], canCancel: false });
    return { data: { id: "p", state: "waiting" }, message: "Thank you." } as never;
  });
  const { user } = openAppAsMember(`/shopping/${order.id}`);
  const panel = await screen.findByRole("region", { name: "Proof of payment" });

  await user.upload(within(panel).getByLabelText("Proof of payment"), file());

  expect(await screen.findByText("Thank you.")).toBeInTheDocument();
  expect(await within(panel).findByText("Receipt under review")).toBeInTheDocument();
  expect(panel).toHaveTextContent(/cannot confirm your payment by .*28.*, the order expires/);
  expect(upload).toHaveBeenCalledExactlyOnceWith(
    "/api/v1/orders/{order_id}/proof",
    { file: expect.any(File) },
    expect.objectContaining({
      inPath: { order_id: order.id },
      idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/),
    }),
  );
  expect(screen.queryByRole("button", { name: "Cancel order" })).toBeNull();
});

test("a file that is too large is refused before a byte leaves", async () => {
  const upload = vi.spyOn(uploading, "upload");
  const { user } = openAppAsMember(`/shopping/${order.id}`);
  const panel = await screen.findByRole("region", { name: "Proof of payment" });

  await user.upload(within(panel).getByLabelText("Proof of payment"), file(2_097_153));

  expect(
    await screen.findByText("File size exceeds 2MB. Please upload a smaller file."),
  ).toBeInTheDocument();
  expect(upload).not.toHaveBeenCalled();
});

test("a rejected proof says why and another one can be sent", async () => {
  const facts = { reason: "Blurred", at: order.createdAt, expiresAt: null };
  const rejected = { id: "p", state: "rejected" as const, ...facts };
  order = anOrderDetail({ proofs: [rejected] });
  openAppAsMember(`/shopping/${order.id}`);

  const panel = await screen.findByRole("region", { name: "Proof of payment" });
  expect(panel).toHaveTextContent("Not accepted");
  expect(panel).toHaveTextContent("Blurred");
  expect(
    within(panel).getByRole("button", { name: "Upload proof of payment" }),
  ).toBeInTheDocument();
});

test("the receipt of a paid order opens as a page of its own", async () => {
  const location = { assign: vi.fn() };
  vi.spyOn(window, "open").mockReturnValue({ location, close: vi.fn() } as never);
  serve("get", "/api/v1/receipts/order/:id", () => envelope(200, { pageUrl: "/receipt-page" }));
  order = anOrderDetail({ status: "processing", is_paid: true });
  const { user } = openAppAsMember(`/shopping/${order.id}`);

  await user.click(await screen.findByRole("button", { name: "Receipt: FC-7K3Q9X" }));

  await waitFor(() => expect(location.assign).toHaveBeenCalledWith("/receipt-page"));
});

test("a receipt that cannot be had closes its tab and says why", async () => {
  const close = vi.fn();
  vi.spyOn(window, "open").mockReturnValue({ location: { assign: vi.fn() }, close } as never);
  serve("get", "/api/v1/receipts/order/:id", () => refusal(503, "unavailable", "Away."));
  order = anOrderDetail({ status: "processing", is_paid: true });
  const { user } = openAppAsMember(`/shopping/${order.id}`);

  await user.click(await screen.findByRole("button", { name: /^Receipt/ }));

  expect(await screen.findByText("Away.")).toBeInTheDocument();
  expect(close).toHaveBeenCalled();
});
