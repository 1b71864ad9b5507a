import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aSession } from "@/test/factories";
import { serveTheGames } from "@/test/games";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

const CHECKOUT_ORIGIN = "https://checkout.paystack.com";
const REFERENCE = "FW-01J8ZC2K";
const CALLBACK = `https://fans.example/api/v1/payment/callback/paystack?reference=${REFERENCE}`;
const LINK = "https://checkout.paystack.com/access-1";

interface FakeSocket {
  namespace: string;
  options: { auth: object; query: object };
  listeners: Record<string, (event: unknown) => void>;
  closed: boolean;
}

const sockets: FakeSocket[] = vi.hoisted(() => []);
vi.mock("socket.io-client", () => ({
  io: (namespace: string, options: FakeSocket["options"]) => {
    const socket: FakeSocket = { namespace, options, listeners: {}, closed: false };
    sockets.push(socket);
    return {
      io: { on: () => {} },
      on: (name: string, listener: (event: unknown) => void) => {
        socket.listeners[name] = listener;
      },
      close: () => {
        socket.closed = true;
      },
    };
  },
}));

let balance = 25_000;
let status: "success" | "failed" | "pending" = "success";
let verifications: { url: URL }[] = [];
const open = vi.fn<typeof window.open>();

beforeEach(() => {
  sockets.length = 0;
  balance = 25_000;
  status = "success";
  open.mockReset().mockReturnValue(null);
  vi.spyOn(window, "open").mockImplementation(open);
  serveTheGames();
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance }));
  serveLimits([{ name: "paystack", title: "Paystack" }]);
  serve("post", "/api/v1/payment/cancel-funding", () => envelope(200, { status: "cancelled" }));
  verifications = serve("get", "/api/v1/payment/verify-transaction/:reference", () =>
    envelope(200, { status, amount: 5000 }),
  );
});

afterEach(() => {
  // The provider's library keeps its frames for the life of the page; end those a test left open.
  frameSays("cancel");
});

function serveLimits(gateways: { name: string; title: string }[]) {
  serve("get", "/api/v1/payment/funding-limits", () =>
    envelope(200, {
      minimum: 100,
      maximum: 1_000_000,
      dailyMaximum: 2_000_000,
      remainingToday: 2_000_000,
      gateways,
    }),
  );
}

let nextReference = 1;
/** Every test pays under a unique reference: a settled one is reported only once. */
function servePrepared(change: Record<string, unknown> = {}) {
  const reference = `${REFERENCE}${nextReference}`;
  nextReference += 1;
  const data = {
    gateway: "paystack",
    access_code: `access-${reference}`,
    redirectURL: CALLBACK,
    link: LINK,
    reference,
    ...change,
  };
  const requests = serve("post", "/api/v1/payment/prepare-wallet-funding", () =>
    envelope(200, data),
  );
  return { requests, reference };
}

/** A message from the provider's frame to the page. */
function frameSays(event: string, data: unknown = {}) {
  window.dispatchEvent(
    new MessageEvent("message", { data: { event, data }, origin: CHECKOUT_ORIGIN }),
  );
}

async function openModal(user: UserEvent) {
  await user.click(await screen.findByRole("button", { name: "Fund Wallet" }));
  return screen.getByRole("dialog", { name: "Fund Wallet" });
}

async function fund(user: UserEvent, amount = "5000") {
  const modal = await openModal(user);
  await user.type(within(modal).getByLabelText("Amount"), amount);
  await user.click(within(modal).getByRole("button", { name: "Fund Wallet" }));
}

/**
 * Until the real library has opened its frame for our access code.
 *
 * The frame stays in the page for all payments, and is visible while one runs.
 */
async function frameOpens(reference: string) {
  await waitFor(() => expect(pending()?.reference).toBe(reference));
  await waitFor(() => {
    const frames = Array.from(document.querySelectorAll("iframe"));
    const frame = frames.find(({ src }) => src.startsWith(CHECKOUT_ORIGIN));
    expect(frame?.style.visibility).toBe("visible");
  });
}

/** Until the provider's page has loaded in that frame. */
async function checkoutFrame(reference: string) {
  await frameOpens(reference);
  frameSays("loaded:checkout");
  frameSays("loaded:transaction", { id: 1, customer: {}, accessCode: "x" });
}

function pending(): { reference: string; phase: string } | null {
  return JSON.parse(localStorage.getItem("funding") ?? "null");
}

test.each(["", "0"])("the amount %o is refused and nothing is sent", async (amount) => {
  const { requests } = servePrepared();
  const { user } = openAppAsMember("/");
  const modal = await openModal(user);

  if (amount) {
    await user.type(within(modal).getByLabelText("Amount"), amount);
  }
  await user.click(within(modal).getByRole("button", { name: "Fund Wallet" }));

  expect(screen.getByText("Please enter only number in the amount field.")).toBeInTheDocument();
  expect(requests).toHaveLength(0);
});

test("an amount outside the limits is refused before it is sent", async () => {
  const { requests } = servePrepared();
  const { user } = openAppAsMember("/");
  await screen.findByText("₦25,000.00");
  const modal = await openModal(user);
  await screen.findByText(/From ₦100 to ₦1,000,000/);

  await user.type(within(modal).getByLabelText("Amount"), "99");
  await user.click(within(modal).getByRole("button", { name: "Fund Wallet" }));

  expect(screen.getByText("The minimum you can fund is ₦100.")).toBeInTheDocument();
  expect(requests).toHaveLength(0);
});

test("a quick amount fills the field", async () => {
  const { user } = openAppAsMember("/");
  const modal = await openModal(user);

  await user.click(within(modal).getByRole("button", { name: "₦10,000" }));

  expect(within(modal).getByLabelText("Amount")).toHaveValue("10,000");
});

test("a paid funding opens the callback, is verified, and the new balance shows", async () => {
  const { requests, reference } = servePrepared();
  const { user } = openAppAsMember("/");
  await fund(user);
  await checkoutFrame(reference);
  expect(screen.queryByRole("dialog")).toBeNull();

  balance = 30_000;
  act(() => frameSays("success", { reference, status: "success" }));

  expect(await screen.findByText("Successfully funded your wallet.")).toBeInTheDocument();
  expect(await screen.findByText("₦30,000.00")).toBeInTheDocument();
  expect(open).toHaveBeenCalledWith(CALLBACK, "_blank");
  expect(requests[0]?.body).toEqual({ amount: 5000, userId: "member-1" });
  expect(requests[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f-]{36}$/);
  expect(pending()).toBeNull();
});

test("a message of another window settles nothing", async () => {
  const { reference } = servePrepared();
  const { user } = openAppAsMember("/");
  await fund(user);
  await checkoutFrame(reference);
  const data = { reference, status: "success" };

  await act(async () => {
    for (const origin of [
      "https://evil.example",
      "https://checkout.paystack.com.evil.example",
      "http://checkout.paystack.com",
      window.location.origin,
      "null",
      "",
    ]) {
      for (const said of [{ event: "success", data }, JSON.stringify({ event: "success", data })]) {
        window.dispatchEvent(new MessageEvent("message", { data: said, origin, source: window }));
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  });

  expect(verifications).toHaveLength(0);
  expect(open).not.toHaveBeenCalled();
  expect(screen.queryByText("Successfully funded your wallet.")).toBeNull();
  expect(pending()?.reference).toBe(reference);

  act(() => frameSays("success", data));
  expect(await screen.findByText("Successfully funded your wallet.")).toBeInTheDocument();
});

test("a funding that fails is told", async () => {
  const { reference } = servePrepared();
  status = "failed";
  const { user } = openAppAsMember("/");
  await fund(user);
  await checkoutFrame(reference);

  act(() => frameSays("success", { reference }));

  expect(await screen.findByText("Wallet funding failed.")).toBeInTheDocument();
});

test("a payment that is still pending is asked about again, also after a reload", async () => {
  const { reference } = servePrepared();
  status = "pending";
  const { user, unmount } = openAppAsMember("/");
  await fund(user);
  await checkoutFrame(reference);
  act(() => frameSays("success", { reference }));
  expect(await screen.findByText("Confirming payment...")).toBeInTheDocument();
  await waitFor(() => expect(verifications).toHaveLength(1));

  unmount();
  status = "success";
  openAppAsMember("/");

  expect(await screen.findByText("Confirming payment...")).toBeInTheDocument();
  expect(await screen.findByText("Successfully funded your wallet.")).toBeInTheDocument();
});

test("a pending bank transfer is confirmed, not told as cancelled", async () => {
  const { reference } = servePrepared();
  status = "pending";
  const { user } = openAppAsMember("/");
  await fund(user);
  await checkoutFrame(reference);

  act(() => frameSays("transfer:pending", { status: "pending" }));

  expect(await screen.findByText("Confirming payment...")).toBeInTheDocument();
  expect(pending()?.phase).toBe("confirming");
});

test("closing the provider's frame leaves no payment behind, here or in the day's limit", async () => {
  const { reference } = servePrepared();
  const cancels = serve("post", "/api/v1/payment/cancel-funding", () =>
    envelope(200, { status: "cancelled" }),
  );
  const { user } = openAppAsMember("/");
  await fund(user);
  await checkoutFrame(reference);
  expect(pending()?.phase).toBe("paying");

  act(() => frameSays("cancel"));

  await waitFor(() => expect(pending()).toBeNull());
  await waitFor(() => expect(cancels).toHaveLength(1));
  expect(cancels[0]?.body).toEqual({ reference });
  expect(open).not.toHaveBeenCalled();
});

test("a cancel that the server does not hear is nobody's trouble", async () => {
  const { reference } = servePrepared();
  const cancels = serve("post", "/api/v1/payment/cancel-funding", () =>
    refusal(503, "unavailable", "We are having trouble right now."),
  );
  const { user } = openAppAsMember("/");
  await fund(user);
  await checkoutFrame(reference);

  act(() => frameSays("cancel"));

  await waitFor(() => expect(cancels).toHaveLength(1));
  expect(pending()).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("an error of the provider shows as a toast", async () => {
  const { reference } = servePrepared();
  const { user } = openAppAsMember("/");
  await fund(user);
  await checkoutFrame(reference);

  act(() => frameSays("error", { type: "setup", message: "Invalid access code" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("Invalid access code");
});

test("a refused preparation shows the server's message and closes the modal", async () => {
  serve("post", "/api/v1/payment/prepare-wallet-funding", () =>
    refusal(422, "daily_limit", "You have reached today's limit."),
  );
  const { user } = openAppAsMember("/");

  await fund(user);

  expect(await screen.findByRole("alert")).toHaveTextContent("You have reached today's limit.");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("another gateway opens its link, and a blocked tab leaves a link to press", async () => {
  servePrepared({ gateway: "flutterwave", link: "https://pay.example/x" });
  const { user } = openAppAsMember("/");

  await fund(user);

  expect(await screen.findByRole("link", { name: "Continue to payment" })).toHaveAttribute(
    "href",
    "https://pay.example/x",
  );
  expect(open).toHaveBeenCalledWith("https://pay.example/x", "_blank");
});

test("who pays through whom is asked where there is a choice, and a page opens in a tab", async () => {
  serveLimits([
    { name: "paystack", title: "Paystack" },
    { name: "flutterwave", title: "Flutterwave" },
  ]);
  const page = { gateway: "flutterwave", access_code: null, link: "https://pay.example/y" };
  const { requests } = servePrepared(page);
  const { user } = openAppAsMember("/");
  const modal = await openModal(user);
  const choices = await within(modal).findByRole("group", { name: "Pay with" });
  expect(within(choices).getByRole("radio", { name: "Paystack" })).toBeChecked();

  await user.click(within(choices).getByRole("radio", { name: "Flutterwave" }));
  await user.type(within(modal).getByLabelText("Amount"), "5000");
  await user.click(within(modal).getByRole("button", { name: "Fund Wallet" }));

  await waitFor(() => expect(open).toHaveBeenCalledWith("https://pay.example/y", "_blank"));
  expect(requests[0]?.body).toMatchObject({ amount: 5000, gateway: "flutterwave" });
});

test("one gateway is no choice", async () => {
  serveLimits([{ name: "paystack", title: "Paystack" }]);
  const { user } = openAppAsMember("/");
  const modal = await openModal(user);

  expect(await within(modal).findByText(/From ₦100/)).toBeInTheDocument();
  expect(within(modal).queryByRole("group", { name: "Pay with" })).not.toBeInTheDocument();
});

test("after a lost answer the same amount goes out under the same key", async () => {
  let lost = true;
  const requests = serve("post", "/api/v1/payment/prepare-wallet-funding", () =>
    lost ? Response.error() : refusal(422, "stop", "Stop here."),
  );
  const { user } = openAppAsMember("/");
  // A toast moves from the modal to the page when the modal closes.
  const isClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await fund(user);
  await isClosed();
  expect(await screen.findByText(/it will only be done once/)).toBeInTheDocument();

  lost = false;
  await fund(user);
  await isClosed();
  expect(await screen.findByText("Stop here.")).toBeInTheDocument();
  await fund(user);
  await waitFor(() => expect(requests).toHaveLength(3));

  const keys = requests.map((request) => request.headers.get("Idempotency-Key"));
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

/** The socket that the screen keeps open. */
async function channel(): Promise<FakeSocket> {
  await waitFor(() => expect(sockets.some((socket) => !socket.closed)).toBe(true));
  const socket = sockets.find((candidate) => !candidate.closed);
  if (socket === undefined) {
    throw new Error("no socket is open");
  }
  return socket;
}

function receive(socket: FakeSocket, event: unknown) {
  act(() => socket.listeners["verify_wallet_transaction"]?.(event));
}

test("the channel is opened with token and user id and closed when the screen is left", async () => {
  const { unmount } = openAppAsMember("/", aSession({ userToken: "secret" }));
  const socket = await channel();

  expect(socket.namespace).toBe("/payment");
  expect(socket.options).toMatchObject({
    auth: { token: "secret" },
    query: { userId: "member-1" },
  });

  unmount();
  expect(sockets.every((other) => other.closed)).toBe(true);
});

test("an event of the channel is verified and told once", async () => {
  openAppAsMember("/");
  const socket = await channel();
  const event = { data: { id: "FW-EVENT", user_id: "member-1" }, message: "" };

  receive(socket, event);
  receive(socket, event);

  expect(await screen.findByText("Successfully funded your wallet.")).toBeInTheDocument();
  expect(screen.getAllByText("Successfully funded your wallet.")).toHaveLength(1);
  expect(verifications[0]?.url.pathname).toContain("FW-EVENT");
});

test("an event without data, without an id, or about somebody else", async () => {
  openAppAsMember("/");
  const socket = await channel();

  receive(socket, { data: null, message: "" });
  expect(await screen.findByText("Unable to fund wallet.")).toBeInTheDocument();

  receive(socket, { data: { user_id: "member-1" }, message: "" });
  expect(await screen.findByText("Transaction id is required.")).toBeInTheDocument();

  receive(socket, { data: { id: "FW-OTHER", user_id: "somebody" }, message: "" });
  expect(verifications).toHaveLength(0);
});

test("a verification that is refused appends the server's sentence", async () => {
  serve("get", "/api/v1/payment/verify-transaction/:reference", () =>
    refusal(404, "not_found", "There is no such payment."),
  );
  openAppAsMember("/");

  receive(await channel(), { data: { id: "FW-GONE", user_id: "member-1" }, message: "" });

  expect(
    await screen.findByText("Wallet funding failed. There is no such payment."),
  ).toBeInTheDocument();
});

test("the statement lists movements and fetches older ones", async () => {
  const row = (number: number) => ({
    id: `row-${number}`,
    kind: "fund",
    reference: `fund:${number}`,
    amount: number === 1 ? -2500.5 : 100,
    balanceAfter: 1000,
    createdAt: "2026-11-20T12:30:00Z",
  });
  serve("get", "/api/v1/payment/statement/:id/months", () => envelope(200, []));
  const requests = serve("get", "/api/v1/payment/statement/:id", ({ url }) =>
    envelope(
      200,
      url.searchParams.get("before")
        ? [{ ...row(21), kind: "purchase" }]
        : Array.from({ length: 20 }, (_, index) => row(index + 1)),
    ),
  );
  const { user } = openAppAsMember("/wallet");

  expect(await screen.findByText("−₦2,500.50")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Show older" }));

  expect(await screen.findByText("Purchase")).toBeInTheDocument();
  expect(requests.at(-1)?.url.searchParams.get("before")).toBe("row-20");
  expect(screen.queryByRole("button", { name: "Show older" })).toBeNull();
});

test("a frame that does not load in ten seconds gives way to the provider's own page", async () => {
  const { reference } = servePrepared();
  const { user } = openAppAsMember("/");
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await fund(user);
  await frameOpens(reference);
  await vi.advanceTimersByTimeAsync(10_500);

  await waitFor(() => expect(open).toHaveBeenCalledWith(LINK, "_blank"));
  expect(await screen.findByRole("link", { name: "Continue to payment" })).toHaveAttribute(
    "href",
    LINK,
  );
});

test("after the last question a payment is left to the server, and can be asked about again", async () => {
  const { reference } = servePrepared();
  status = "pending";
  const { user } = openAppAsMember("/");
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await fund(user);
  await checkoutFrame(reference);
  act(() => frameSays("success", { reference }));
  await screen.findByText("Confirming payment...");

  await act(() => vi.advanceTimersByTimeAsync(70_000));

  expect(await screen.findByText(/We have no confirmation of your payment/)).toBeInTheDocument();
  await waitFor(() => expect(verifications).toHaveLength(6));
  status = "success";
  await user.click(screen.getByRole("button", { name: "Check again" }));
  await act(() => vi.advanceTimersByTimeAsync(3500));
  expect(await screen.findByText("Successfully funded your wallet.")).toBeInTheDocument();
});

test("a payment that is settled while another screen is open is told with the wallet", async () => {
  const { user } = openAppAsMember("/calendar");
  receive(await channel(), { data: { id: "FW-ELSEWHERE", user_id: "member-1" }, message: "" });
  expect(verifications).toHaveLength(0);

  await user.click(screen.getByRole("link", { name: "Dashboard" }));

  expect(await screen.findByText("Successfully funded your wallet.")).toBeInTheDocument();
  expect(verifications[0]?.url.pathname).toContain("FW-ELSEWHERE");
});

test("what was settled for one member is not told to the next", async () => {
  const first = openAppAsMember("/calendar");
  receive(await channel(), { data: null, message: "" });
  first.unmount();

  openAppAsMember("/", aSession({ id: "member-2" }));

  expect(await screen.findByText("₦25,000.00")).toBeInTheDocument();
  expect(screen.queryByText("Unable to fund wallet.")).toBeNull();
});
