import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { CheckoutOutcome } from "@/features/wallet/checkout-provider";
import * as provider from "@/features/wallet/checkout-provider";
import { cartStore } from "@/lib/session/cart-store";
import { session } from "@/lib/session/session";
import { aCartItem, aPlan, aPlanState, aSession, noPlan } from "@/test/factories";
import { shellSockets } from "@/test/fake-socket";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, type SeenRequest, serve } from "@/test/server";

const SETTLED = "verify_wallet_transaction";

let ending: CheckoutOutcome;
let nextReference = 1;
let reference = "";
let gateway: object = {};
let balance = 900;
let status = "success";
let prepared: SeenRequest[] = [];
let bought: SeenRequest[] = [];
let ordered: SeenRequest[] = [];
let verifications: SeenRequest[] = [];

beforeEach(() => {
  ending = { kind: "paid" };
  vi.spyOn(provider, "openCheckout").mockImplementation(async () => ending);
  balance = 900;
  status = "success";
  gateway = { gateway: "flutterwave", access_code: null };
  reference = `FW-BUY-${nextReference}`;
  nextReference += 1;
  vi.spyOn(window, "open").mockReturnValue(null);
  serve("get", "/api/v1/subscription", () => envelope(200, [aPlan()]));
  serve("get", "/api/v1/users/plan/validate/:id", () => envelope(200, noPlan));
  serve("get", "/api/v1/users/subscription/:id", () => envelope(200, []));
  serve("get", "/api/v1/products/checkout-options", () => envelope(200, { bankTransfer: null }));
  serve("get", "/api/v1/products/user/:id", () => envelope(200, []));
  serve("get", "/api/v1/products", () => envelope(200, []));
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance }));
  serve("get", "/api/v1/payment/funding-limits", () =>
    envelope(200, { minimum: 100, maximum: 1e6, dailyMaximum: 2e6, remainingToday: 5000 }),
  );
  verifications = serve("get", "/api/v1/payment/verify-transaction/:reference", () =>
    envelope(200, { status, amount: 600 }),
  );
  prepared = serve("post", "/api/v1/payment/prepare-wallet-funding", () =>
    envelope(200, {
      ...gateway,
      redirectURL: "https://fans.example/callback",
      link: "https://pay.example/x",
      reference,
    }),
  );
  bought = serve("post", "/api/v1/users/subscription", () => {
    const { subscriptionId, startsAt, endsAt } = aPlanState();
    const data = { subscriptionId, plan: "Battle Pass", startsAt, endsAt, credited: 0 };
    return envelope(201, data, "You are subscribed to Battle Pass.");
  });
  ordered = serve("post", "/api/v1/products/checkout", () =>
    envelope(201, { orderNumber: "FC-7K3Q9X", orderId: "o", total: 5001 }, "Order placed."),
  );
});

async function credit() {
  await screen.findByText(/is not finished/);
  settled();
}

/** The provider has settled the payment, and the server reports it twice to every listener. */
function settled() {
  balance = 25_000;
  const event = { data: { id: reference, user_id: "member-1" }, message: "" };
  act(() => {
    for (const socket of [...shellSockets, ...shellSockets]) {
      if (!socket.closed) {
        socket.emitToClient(SETTLED, event);
      }
    }
  });
}

async function openPlan() {
  const app = openAppAsMember("/subscriptions?plan=battle-pass");
  await screen.findByRole("dialog", { name: "Subscription Details" });
  return app;
}

async function openCheckout() {
  cartStore.write([aCartItem({ id: "scarf", name: "Club Scarf", price: 2500.5, quantity: 2 })]);
  const app = openAppAsMember("/checkout");
  await screen.findByRole("heading", { name: "Shipping Address" });
  return app;
}

/** Long enough to show that nothing happens. */
async function settle() {
  await screen.findByText("Successfully funded your wallet.");
  await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
}

const fundAndSubscribe = () => screen.findByRole("button", { name: "Fund ₦600 and subscribe" });
const fundAndOrder = () => screen.findByRole("button", { name: "Fund ₦4,101 and complete order" });

test("one press funds what is missing and subscribes once the money is there", async () => {
  const { user } = await openPlan();

  await user.click(await fundAndSubscribe());
  expect(await screen.findByText(/^The plan starts automatically/)).toBeInTheDocument();
  expect(bought).toHaveLength(0);
  await credit();

  expect(await screen.findByText("You are subscribed to Battle Pass.")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(prepared.map(({ body }) => body)).toEqual([{ amount: 600, userId: "member-1" }]);
  expect(bought).toHaveLength(1);
});

test("a credit that is learnt by asking, late, finishes it as well", async () => {
  const { user } = await openPlan();
  await user.click(await fundAndSubscribe());
  await screen.findByText(/is not finished/);
  status = "pending";
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await user.click(screen.getByRole("button", { name: "I have paid" }));
  await act(() => vi.advanceTimersByTimeAsync(70_000));
  expect(await screen.findByText(/We have no confirmation of your payment/)).toBeInTheDocument();
  await waitFor(() => expect(verifications).toHaveLength(5));
  expect(bought).toHaveLength(0);

  status = "success";
  await user.click(screen.getByRole("button", { name: "Check again" }));
  await act(() => vi.advanceTimersByTimeAsync(3500));

  await waitFor(() => expect(bought).toHaveLength(1));
});

test("another tab that learnt of the credit first does not keep this one waiting", async () => {
  const { user } = await openPlan();
  await user.click(await fundAndSubscribe());
  await screen.findByText(/is not finished/);

  localStorage.removeItem("funding");
  act(() => void window.dispatchEvent(new StorageEvent("storage", { key: "funding" })));

  await waitFor(() => expect(bought).toHaveLength(1));
});

test("a member who dismisses the payment has only funded", async () => {
  const { user } = await openPlan();
  await user.click(await fundAndSubscribe());
  await screen.findByText(/is not finished/);
  const socket = shellSockets.at(-1);

  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  act(() =>
    socket?.emitToClient(SETTLED, { data: { id: reference, user_id: "member-1" }, message: "" }),
  );

  await settle();
  expect(bought).toHaveLength(0);
});

test("a member who closes the details has only funded, and is told with the wallet", async () => {
  const { user } = await openPlan();
  await user.click(await fundAndSubscribe());
  await screen.findByText(/is not finished/);
  const socket = shellSockets.at(-1);

  await user.click(screen.getByRole("button", { name: "Close" }));
  act(() =>
    socket?.emitToClient(SETTLED, { data: { id: reference, user_id: "member-1" }, message: "" }),
  );
  const [card] = await screen.findAllByRole("button", { name: "Subscribe" });
  await user.click(card as HTMLElement);

  await settle();
  expect(bought).toHaveLength(0);
});

test("nothing is bought when somebody else is signed in by the time of the credit", async () => {
  const { user } = await openPlan();
  await user.click(await fundAndSubscribe());
  await screen.findByText(/is not finished/);
  const socket = shellSockets.at(-1);

  act(() => session.write(aSession({ id: "member-2", userToken: "token-of-bello" })));
  act(() =>
    socket?.emitToClient(SETTLED, { data: { id: reference, user_id: "member-1" }, message: "" }),
  );
  await act(() => new Promise((resolve) => setTimeout(resolve, 100)));

  expect(bought).toHaveLength(0);
});

test("Fund Wallet from the checkout funds and orders nothing", async () => {
  const { user } = await openCheckout();
  await user.click(await screen.findByRole("button", { name: "Fund Wallet" }));
  const modal = screen.getByRole("dialog", { name: "Fund Wallet" });
  await user.click(within(modal).getByRole("button", { name: "Fund Wallet" }));
  await credit();

  await settle();
  expect(await screen.findByText("₦25,000.00")).toBeInTheDocument();
  expect(ordered).toHaveLength(0);
});

test("the missing amount includes the debt, because it is repaid first", async () => {
  serve("get", "/api/v1/payment/wallet-balance/:id", () =>
    envelope(200, { balance: 0, debt: 400 }),
  );
  const { user } = await openPlan();

  await user.click(await screen.findByRole("button", { name: "Fund ₦1,900 and subscribe" }));

  expect(screen.getByText(/^You need/)).toHaveTextContent(
    "You need ₦1,900.00 more, and ₦400.00 of it repays what you owe.",
  );
  await waitFor(() => expect(prepared.map(({ body }) => body)).toMatchObject([{ amount: 1900 }]));
});

test("what is missing is asked for, but never less than can be funded", async () => {
  balance = 1450;
  await openPlan();

  expect(
    await screen.findByRole("button", { name: "Fund ₦100 and subscribe" }),
  ).toBeInTheDocument();
});

test("more than may be funded today is told and nothing is prepared", async () => {
  serve("get", "/api/v1/payment/funding-limits", () =>
    envelope(200, { minimum: 700, maximum: 1e6, dailyMaximum: 2e6, remainingToday: 300 }),
  );
  const { user } = await openPlan();
  await user.click(await screen.findByRole("button", { name: "Fund ₦700 and subscribe" }));

  expect(screen.getAllByText("The maximum you can fund now is ₦300.")).not.toHaveLength(0);
  expect(prepared).toHaveLength(0);
});

test("an order asks for its address first, then is funded and placed once", async () => {
  const { user } = await openCheckout();
  await user.click(await fundAndOrder());
  expect(await screen.findByText("Please fill out the address field", { selector: ".toast p" }));
  expect(prepared).toHaveLength(0);

  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");
  await user.click(await fundAndOrder());
  await credit();

  expect(await screen.findByText("Order placed.")).toBeInTheDocument();
  expect(await screen.findByRole("heading", { level: 1, name: "Shoppings" })).toBeInTheDocument();
  expect(prepared[0]?.body).toEqual({ amount: 4101, userId: "member-1" });
  expect(ordered).toHaveLength(1);
});

test("an order that was changed after the press is not placed", async () => {
  const { user } = await openCheckout();
  const address = screen.getByRole("textbox", { name: /Address/ });
  await user.type(address, "1 Aba Road");
  await user.click(await fundAndOrder());
  await screen.findByText(/^The order is placed automatically/);

  await user.type(address, ", Aba");
  expect(screen.queryByText(/^The order is placed automatically/)).toBeNull();
  await credit();

  await settle();
  expect(ordered).toHaveLength(0);
});

test("a funding that is refused leaves nothing waiting", async () => {
  serve("post", "/api/v1/payment/prepare-wallet-funding", () => refusal(422, "no", "Not now."));
  const { user } = await openPlan();

  await user.click(await fundAndSubscribe());

  expect(await screen.findByText("Not now.")).toBeInTheDocument();
  await waitFor(async () => expect(await fundAndSubscribe()).toBeEnabled());
});

test.each<CheckoutOutcome>([{ kind: "cancelled" }, { kind: "refused", message: "Not this card." }])(
  "a payment that ends as $kind withdraws what was agreed, also if it is credited after all",
  async (outcome) => {
    ending = outcome;
    gateway = { gateway: "paystack", access_code: "code", checkout: null };
    serve("post", "/api/v1/payment/cancel-funding", () => envelope(200, null));
    const { user } = await openPlan();
    await user.click(await fundAndSubscribe());
    await waitFor(() => expect(prepared).toHaveLength(1));
    await waitFor(async () => expect(await fundAndSubscribe()).toBeEnabled());

    settled();

    await settle();
    expect(bought).toHaveLength(0);
  },
);
