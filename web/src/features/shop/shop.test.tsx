import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import type { TransferProof } from "@/api/wire";
import { cartStore } from "@/lib/session/cart-store";
import { aCartItem, anOrder, aProduct } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

const transfer = {
  accountName: "King of Fans Demo",
  accountNumber: "0000000000",
  bank: "Demo Bank",
  instructions: "Use the order number as reference and email the receipt.",
};

const noFees = { states: [{ state: "Kano", fee: 0 }], stateRequired: false, savedAddress: null };
let options: Record<string, unknown> = {};
let products = [aProduct()];
let orders = [anOrder()];
let proofs: Partial<TransferProof>[] = [];

beforeEach(() => {
  products = [
    aProduct(),
    aProduct({ id: "scarf", name: "Club Scarf", price: 2500.5, star: 7 }),
    aProduct({ id: "cap", name: "Terrace Cap", price: 3000, star: 10, available: 0 }),
    aProduct({ id: "mug", name: "Mug", price: 1800, star: 4, available: 3 }),
  ];
  orders = [anOrder()];
  options = { bankTransfer: transfer, ...noFees };
  serve("get", "/api/v1/products", () => envelope(200, products));
  proofs = [];
  serve("get", "/api/v1/products/user/:id", () => envelope(200, orders));
  serve("get", "/api/v1/orders/:order", () => envelope(200, { ...orders[0], proofs }));
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 25_000 }));
  serve("get", "/api/v1/payment/funding-limits", () =>
    envelope(200, { minimum: 100, maximum: 1e6, dailyMaximum: 2e6, remainingToday: 2e6 }),
  );
  serve("get", "/api/v1/products/checkout-options", () => envelope(200, options));
});

function cards() {
  const grid = screen.getByRole("region", { name: "All products" });
  return within(grid).queryAllByRole("article");
}

test("the shop shows the popular ones and all products with price, stars and short names", async () => {
  openAppAsMember("/products");

  expect(await screen.findByRole("heading", { name: "Popular This Week" })).toBeInTheDocument();
  expect(screen.getByRole("heading", { level: 1, name: "Products" })).toBeInTheDocument();
  expect(cards()).toHaveLength(4);
  const [first] = cards();
  expect(first).toHaveTextContent("Enyimba Home Jer…");
  expect(first).toHaveTextContent("₦15,000");
  expect(
    within(first as HTMLElement).getByRole("img", { name: "4.5 out of 5 stars" }),
  ).toBeVisible();
});

test("the carousel holds the first eight", async () => {
  products = Array.from({ length: 12 }, (_, index) => aProduct({ id: `p${index}` }));
  openAppAsMember("/products");

  const carousel = await screen.findByRole("region", {
    name: "Popular This Week",
    description: "",
  });

  expect(within(carousel).getAllByRole("article")).toHaveLength(8);
  expect(cards()).toHaveLength(12);
});

test("adding to the cart says so and counts the line", async () => {
  const { user } = openAppAsMember("/products");
  await screen.findByRole("heading", { name: "All products" });
  const button = within(cards()[1] as HTMLElement).getByRole("button");
  expect(button).toHaveAccessibleName("Add to cart: Club Scarf");

  await user.click(button);
  await user.click(button);

  expect(await screen.findByText("Item successfully added to cart!")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Cart, 2 items" })).toHaveTextContent("1");
  expect(cartStore.read()?.[0]).toMatchObject({ id: "scarf", quantity: 2 });
});

test("what is sold out cannot be added, what is scarce says how many are left", async () => {
  openAppAsMember("/products");
  await screen.findByRole("heading", { name: "All products" });

  expect(within(cards()[2] as HTMLElement).queryByRole("button")).toBeNull();
  expect(cards()[2]).toHaveTextContent("Sold out");
  expect(cards()[3]).toHaveTextContent("Only 3 left");
});

test("search and sorting come from the address and go back into it", async () => {
  const { user } = openAppAsMember("/products?q=c&sort=dearest");
  await screen.findByRole("heading", { name: "All products" });
  const names = () => cards().map((card) => within(card).getByRole("link").textContent);

  const before = names();
  expect(before[0]).toContain("Enyimba");
  await user.selectOptions(screen.getByLabelText("Sort by"), "cheapest");
  expect(names()[0]).toContain("Mug");
  await user.clear(screen.getByLabelText("Search the shop"));
  await user.type(screen.getByLabelText("Search the shop"), "scarf");

  expect(names()).toEqual(["Club Scarf"]);
});

test("a search without a result offers the way back", async () => {
  const { user } = openAppAsMember("/products?q=boots");

  await user.click(await screen.findByRole("button", { name: "Show all products" }));

  expect(cards()).toHaveLength(4);
});

test("a shop that does not answer can be asked again", async () => {
  let down = true;
  serve("get", "/api/v1/products", () =>
    down ? refusal(503, "unavailable", "The shop is busy.") : envelope(200, products),
  );
  const { user } = openAppAsMember("/products");
  expect(await screen.findByRole("alert")).toHaveTextContent("The shop is busy.");

  down = false;
  await user.click(screen.getByRole("button", { name: "Try again" }));

  expect(await screen.findByRole("heading", { name: "All products" })).toBeInTheDocument();
});

test("a product of the shop is shown in naira and added with the browser's alert", async () => {
  const alert = vi.spyOn(window, "alert").mockImplementation(() => undefined);
  serve("get", "/api/v1/products/:id", () => envelope(200, aProduct({ price: 2500.5 })));
  const { user } = openAppAsMember("/product/jersey");

  expect(await screen.findByText("₦2,500.50")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Add to Cart" }));

  expect(alert).toHaveBeenCalledWith("Item successfully added to cart!");
  expect(cartStore.read()).toHaveLength(1);
});

test.each([
  ["1", "$29.99"],
  ["2", "$49.99"],
  ["3", "$19.99"],
  ["4", "$89.69"],
  ["5", "$72.99"],
  ["6", "$43.19"],
])("sample %s, which the shop does not have, costs %s", async (id, price) => {
  serve("get", "/api/v1/products/:id", () => refusal(404, "not_found", "Not found."));
  openAppAsMember(`/product/${id}`);

  expect(await screen.findByText(price)).toBeInTheDocument();
});

test("an id that neither has is not found", async () => {
  serve("get", "/api/v1/products/:id", () => refusal(422, "invalid", "Not an id."));
  openAppAsMember("/product/77");

  expect(await screen.findByText("Product not found")).toBeInTheDocument();
});

test("an empty cart says so", async () => {
  openAppAsMember("/orders");

  expect(await screen.findByText("Your cart is empty")).toBeInTheDocument();
  expect(screen.getByText(/^What you add in the shop waits here/)).toBeInTheDocument();
});

test("the cart shows lines with quantity, line totals and the total", async () => {
  cartStore.write([aCartItem({ id: "scarf", name: "Club Scarf", price: 2500.5, quantity: 2 })]);
  const { user } = openAppAsMember("/orders");

  expect(await screen.findByText("Club Scarf (x2)")).toBeInTheDocument();
  expect(screen.getAllByText("₦5,001.00")).toHaveLength(2);
  await user.click(screen.getByRole("button", { name: "One more: Club Scarf" }));
  expect(screen.getByText("Club Scarf (x3)")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Remove: Club Scarf" }));

  expect(screen.getByText("Your cart is empty")).toBeInTheDocument();
});

test("clearing the cart asks first, then deletes what was stored", async () => {
  cartStore.write([aCartItem()]);
  const { user } = openAppAsMember("/orders");

  await user.click(await screen.findByRole("button", { name: "Clear Cart" }));
  expect(cartStore.read()).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Yes, clear it" }));

  expect(screen.getByText("Your cart is empty")).toBeInTheDocument();
  expect(localStorage.getItem("cart")).toBeNull();
});

test("a sample in the cart is marked, does not count, and cannot be ordered", async () => {
  cartStore.write([
    aCartItem(),
    aCartItem({ id: "1", name: "Terrace Cap", price: 29.99, sample: true }),
  ]);
  const placed = serve("post", "/api/v1/products/checkout", () => envelope(201, {}));
  const { user } = openAppAsMember("/checkout");
  expect(await screen.findByText("Not available")).toBeInTheDocument();
  expect(screen.getAllByText("₦15,000.00")).toHaveLength(2);

  await chooseKano(user);
  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");
  await user.click(screen.getByRole("button", { name: "Complete Order" }));

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "Remove items that are not available before you order.",
  );
  expect(placed).toHaveLength(0);
});

test("a cart of samples alone says that it cannot be ordered, and its buttons are off", async () => {
  cartStore.write([aCartItem({ id: "1", name: "Terrace Cap", price: 29.99, sample: true })]);
  const { unmount } = openAppAsMember("/orders");
  expect(await screen.findByText(/^This cart cannot be ordered/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Checkout" })).toBeDisabled();
  unmount();

  openAppAsMember("/checkout");
  expect(await screen.findByText(/^This cart cannot be ordered/)).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Complete Order" })).toBeDisabled();
});

async function openCheckout() {
  cartStore.write([aCartItem({ id: "scarf", name: "Club Scarf", price: 2500.5, quantity: 2 })]);
  const app = openAppAsMember("/checkout");
  await screen.findByRole("heading", { name: "Shipping Address" });
  await chooseKano(app.user);
  return app;
}

async function chooseKano(user: UserEvent) {
  await screen.findByRole("option", { name: "Kano" }); // the fees are there
  await user.selectOptions(screen.getByRole("combobox", { name: /State/ }), "Kano");
}

test("the checkout is prefilled, marks what is required and lists the cart", async () => {
  await openCheckout();

  expect(screen.getByLabelText(/First name/)).toHaveValue("Ada Grace");
  expect(screen.getByLabelText(/Last name/)).toHaveValue("Obi");
  expect(screen.getByLabelText(/Phone/)).toHaveValue("+2348012345678");
  for (const name of [/First name/, /Last name/, /Address/, /Phone/]) {
    expect(screen.getByRole("textbox", { name })).toBeRequired();
  }
  const details = screen.getByRole("region", { name: "Cart Details" });
  expect(details).toHaveTextContent("Club Scarf x 2");
  expect(details).toHaveTextContent("₦5,001.00");
  expect(screen.getByRole("radio", { name: "Wallet" })).toBeChecked();
  expect(await screen.findByText("₦25,000.00")).toBeInTheDocument();
});

test("without an address nothing is sent", async () => {
  const placed = serve("post", "/api/v1/products/checkout", () => envelope(201, {}));
  const { user } = await openCheckout();

  await user.click(screen.getByRole("button", { name: "Complete Order" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("Please fill out the address field");
  expect(screen.getByRole("textbox", { name: /Address/ })).toHaveFocus();
  expect(placed).toHaveLength(0);
});

test("an order is placed once with its key; the cart is cleared and the purchases open", async () => {
  const placed = serve("post", "/api/v1/products/checkout", () =>
    envelope(
      201,
      { orderNumber: "FC-7K3Q9X", orderId: "o", total: 5001 },
      "Order FC-7K3Q9X placed.",
    ),
  );
  const { user } = await openCheckout();

  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");
  await user.dblClick(screen.getByRole("button", { name: "Complete Order" }));

  expect(await screen.findByText("Order FC-7K3Q9X placed.")).toBeInTheDocument();
  expect(await screen.findByRole("heading", { level: 1, name: "Shoppings" })).toBeInTheDocument();
  expect(screen.getByText("FC-7K3Q9X", { selector: "strong" })).toBeInTheDocument();
  await waitFor(() => expect(localStorage.getItem("cart")).toBeNull());
  expect(placed).toHaveLength(1);
  expect(placed[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f-]{36}$/);
  expect(placed[0]?.body).toEqual({
    carts: [{ id: "scarf", price: 2500.5, quantity: 2 }],
    userId: "member-1",
    billing: {
      firstName: "Ada Grace",
      lastName: "Obi",
      phone: "+2348012345678",
      address: "1 Aba Road",
      state: "Kano",
    },
    paymentMethod: "wallet",
    deliveryFee: 0,
    saveAddress: false,
  });
});

test("after a lost answer the same order goes out under the same key", async () => {
  let lost = true;
  const placed = serve("post", "/api/v1/products/checkout", () =>
    lost
      ? Response.error()
      : envelope(201, { orderNumber: "FC-AAAAAA", orderId: "o", total: 1 }, "Order placed."),
  );
  const { user } = await openCheckout();
  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");
  await user.click(screen.getByRole("button", { name: "Complete Order" }));
  expect(await screen.findByText(/it will only be done once/)).toBeInTheDocument();
  expect(cartStore.read()).toHaveLength(1);

  lost = false;
  await user.click(await screen.findByRole("button", { name: "Complete Order" }));

  expect(await screen.findByText("Order placed.")).toBeInTheDocument();
  expect(placed[1]?.headers.get("Idempotency-Key")).toBe(placed[0]?.headers.get("Idempotency-Key"));
});

test("a changed price updates the cart, says what changed, and is sent only when agreed", async () => {
  const lines = [{ id: "scarf", name: "Club Scarf", price: 3000, quantity: 2, available: 9 }];
  const placed = serve("post", "/api/v1/products/checkout", () =>
    refusal(409, "price_changed", "Prices have changed.", { data: { lines } }),
  );
  const { user } = await openCheckout();
  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");

  await user.click(screen.getByRole("button", { name: "Complete Order" }));

  expect(
    await screen.findByText("Club Scarf now costs ₦3,000.00 (was ₦2,500.50)."),
  ).toBeInTheDocument();
  expect(screen.getAllByText("₦6,000.00")).toHaveLength(2);
  expect(placed).toHaveLength(1);
});

test("a product that is gone is marked in the cart", async () => {
  const lines = [{ id: "scarf", name: "Club Scarf", price: 2500.5, quantity: 2, available: 0 }];
  serve("post", "/api/v1/products/checkout", () =>
    refusal(409, "product_unavailable", "Not available.", { data: { lines } }),
  );
  const { user } = await openCheckout();
  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");

  await user.click(screen.getByRole("button", { name: "Complete Order" }));

  expect(await screen.findByText("Club Scarf is no longer available.")).toBeInTheDocument();
  expect(screen.getByText("Not available")).toBeInTheDocument();
});

test("a balance that is too small shows what is missing and funds it", async () => {
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 1000.25 }));
  const { user } = await openCheckout();

  expect(await screen.findByText("₦4,000.75")).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Fund Wallet" }));

  const modal = screen.getByRole("dialog", { name: "Fund Wallet" });
  expect(within(modal).getByLabelText("Amount")).toHaveValue("4,001");
});

test("bank transfer reveals the instructions with copy buttons", async () => {
  const placed = serve("post", "/api/v1/products/checkout", () =>
    envelope(201, { orderNumber: "FC-BBBBBB", orderId: "o", total: 1 }, "Order placed."),
  );
  const { user } = await openCheckout();
  await user.click(await screen.findByRole("radio", { name: "Bank Transfer" }));

  expect(await screen.findByText("King of Fans Demo")).toBeInTheDocument();
  expect(screen.getByText("0000000000")).toBeInTheDocument();
  expect(screen.getByText("Demo Bank")).toBeInTheDocument();
  expect(screen.getByText(transfer.instructions)).toBeInTheDocument();
  await user.click(screen.getByRole("button", { name: "Copy account number" }));
  expect(await navigator.clipboard.readText()).toBe("0000000000");

  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");
  await user.click(screen.getByRole("button", { name: "Complete Order" }));
  await waitFor(() => expect(placed[0]?.body).toMatchObject({ paymentMethod: "bank-transfer" }));
});

test("a shop without transfer details does not offer a transfer", async () => {
  serve("get", "/api/v1/products/checkout-options", () =>
    envelope(200, { bankTransfer: null, ...noFees }),
  );
  await openCheckout();

  expect(await screen.findByText("Not offered at the moment")).toBeInTheDocument();
  expect(screen.getByRole("radio", { name: /Bank Transfer/ })).toBeDisabled();
});

test("a field that the server refuses is marked", async () => {
  serve("post", "/api/v1/products/checkout", () =>
    refusal(422, "invalid", "Phone is not a number.", {
      fields: { "billing.phone": "Phone is not a number." },
    }),
  );
  const { user } = await openCheckout();
  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");

  await user.click(screen.getByRole("button", { name: "Complete Order" }));

  await waitFor(() => expect(screen.getByLabelText(/Phone/)).toBeInvalid());
});

test("purchases show product, price, payment, state and method, and how to pay the unpaid", async () => {
  openAppAsMember("/shopping");

  const order = await screen.findByRole("region", { name: "Order FC-7K3Q9X" });
  const card = within(order).getByRole("article");

  expect(screen.getByText("Products you have shopped for or purchased")).toBeInTheDocument();
  expect(card).toHaveTextContent("Enyimba Home Jer…");
  expect(card).toHaveTextContent("₦15,000");
  expect(card).toHaveTextContent("Bank Transfer");
  expect(await within(card).findByText("No payment yet")).toHaveClass("badge-error");
  expect(within(card).getByText("Pending")).toHaveClass("badge-error");
  expect(await within(order).findByText("Demo Bank")).toBeInTheDocument();
  expect(within(order).getByRole("button", { name: "Copy reference" })).toBeInTheDocument();
  expect(within(order).getByText(/^Pay before/)).toHaveTextContent(
    "Pay before 23 November 2026, 1:30 pm",
  );
});

test.each([
  ["processing", "badge-success"],
  ["shipped", "badge-success"],
  ["delivered", "badge-success"],
  ["cancelled", "badge-neutral"],
  ["expired", "badge-neutral"],
  ["refunded", "badge-neutral"],
] as const)("an order that is %s has the style %s", async (status, style) => {
  orders = [anOrder({ status, is_paid: true, payment_method: "wallet" })];
  openAppAsMember("/shopping");

  const order = await screen.findByRole("region", { name: "Order FC-7K3Q9X" });

  expect(within(order).getByText(new RegExp(status, "i"))).toHaveClass(style);
  expect(within(order).queryByText("Demo Bank")).toBeNull();
});

test.each([
  ["processing", 0, "Paid", "badge-success"],
  ["expired", 0, "Paid", "badge-success"],
  ["shipped", 1, "Refunded", "badge-neutral"],
  ["cancelled", 1, "Refunded", "badge-neutral"],
  ["cancelled", 0, "Refund pending", "badge-info"],
  ["refunded", 1, "Refunded", "badge-neutral"],
] as const)(
  "of a paid order that is %s, %i of 1 paid back reads %s",
  async (status, back, text, style) => {
    const [product] = anOrder().product_meta_data;
    const products = product ? [{ ...product, refundedQuantity: back }] : [];
    orders = [anOrder({ status, is_paid: true, product_meta_data: products })];
    openAppAsMember("/shopping");

    const order = within(await screen.findByRole("region", { name: "Order FC-7K3Q9X" }));

    expect(order.getByText(text)).toHaveClass(style);
    expect(order.queryAllByText("Paid")).toHaveLength(text === "Paid" ? 1 : 0);
  },
);

test("an order whose receipt is under review asks for no payment, and names one date", async () => {
  proofs = [
    { id: "proof-1", state: "rejected", expiresAt: null },
    { id: "proof-2", state: "waiting", expiresAt: "2026-12-05T12:30:00Z" },
  ];
  openAppAsMember("/shopping");

  const order = within(await screen.findByRole("region", { name: "Order FC-7K3Q9X" }));

  expect(await order.findByText("Receipt under review")).toHaveClass("badge-info");
  expect(order.getByText(/^If we cannot confirm/)).toHaveTextContent(
    "If we cannot confirm your payment by 5 December 2026, 1:30 pm, the order expires.",
  );
  for (const text of ["No payment yet", "Pending", "Demo Bank", /Pay before/]) {
    expect(order.queryByText(text)).toBeNull();
  }
});

test("an order whose receipt was not accepted can be paid", async () => {
  proofs = [{ id: "proof-1", state: "rejected", expiresAt: null }];
  openAppAsMember("/shopping");

  const order = within(await screen.findByRole("region", { name: "Order FC-7K3Q9X" }));

  expect(await order.findByText("No payment yet")).toHaveClass("badge-error");
  expect(await order.findByText("Demo Bank")).toBeInTheDocument();
});

test("an order that expired unpaid asks for no payment any more", async () => {
  orders = [anOrder({ status: "expired" })];
  openAppAsMember("/shopping");

  const order = await screen.findByRole("region", { name: "Order FC-7K3Q9X" });

  expect(within(order).getByText("Expired")).toHaveClass("badge-neutral");
  expect(within(order).queryByText(/Pay before/)).toBeNull();
  expect(within(order).queryByText("Demo Bank")).toBeNull();
});

test("a fourth order that waits for its transfer is refused with the server's sentence", async () => {
  serve("post", "/api/v1/products/checkout", () =>
    refusal(409, "too_many_open_orders", "Three of your orders are waiting.", {
      data: { open: 3, orders: [] },
    }),
  );
  const { user } = await openCheckout();
  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");

  await user.click(screen.getByRole("button", { name: "Complete Order" }));

  expect(await screen.findByText("Three of your orders are waiting.")).toBeInTheDocument();
  expect(await screen.findByRole("button", { name: "Complete Order" })).toBeInTheDocument();
});

test("the checkout says what unpaid orders hold when they reach the limit", async () => {
  const reason = "You can have at most 5 items waiting.";
  serve("post", "/api/v1/products/checkout", () =>
    refusal(409, "too_much_unpaid", reason, { data: { units: 4, value: 10_002, orders: 1 } }),
  );
  const { user } = await openCheckout();
  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");

  await user.click(screen.getByRole("button", { name: "Complete Order" }));

  const held = await screen.findByText("1 unpaid order holds 4 items worth ₦10,002.00.");
  expect(held.closest("[role=alert]")).toHaveTextContent(reason);
});

test("a product that the shop does not know is named as the cart names it", async () => {
  const lines = [{ id: "scarf", name: null, price: null, quantity: 2, available: 0 }];
  serve("post", "/api/v1/products/checkout", () =>
    refusal(409, "product_unavailable", "Something in your cart is gone.", { data: { lines } }),
  );
  const { user } = await openCheckout();
  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");

  await user.click(screen.getByRole("button", { name: "Complete Order" }));

  expect(await screen.findByText("Club Scarf is no longer available.")).toBeInTheDocument();
  expect(cartStore.read()?.[0]?.price).toBe(2500.5);
});

test("no purchases say so", async () => {
  orders = [];
  openAppAsMember("/shopping");

  expect(await screen.findByText("Your shopping is empty.")).toBeInTheDocument();
});

const sizes = [
  { id: "size-m", size: "M", available: 3, isDefault: true },
  { id: "size-l", size: "L", available: 9, isDefault: false },
  { id: "size-xl", size: "XL", available: 0, isDefault: false },
];

test("a product with sizes enters the cart in the chosen one, and each size is a line", async () => {
  const alert = vi.spyOn(window, "alert").mockImplementation(() => undefined);
  serve("get", "/api/v1/products/:id", () => envelope(200, aProduct({ variants: sizes })));
  const { user } = openAppAsMember("/product/jersey");
  await user.click(await screen.findByRole("button", { name: "Add to Cart" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("Choose a size");
  expect(screen.getByRole("radio", { name: "XL" })).toBeDisabled();

  await user.click(screen.getByRole("radio", { name: "M" }));
  await user.click(screen.getByRole("button", { name: "Add to Cart" }));
  await user.click(screen.getByRole("radio", { name: "L" }));
  await user.click(screen.getByRole("button", { name: "Add to Cart" }));

  expect(alert).toHaveBeenCalledTimes(2);
  expect(cartStore.read()).toMatchObject([
    { id: "jersey", variantId: "size-m", size: "M", quantity: 1, available: 3 },
    { id: "jersey", variantId: "size-l", size: "L", quantity: 1, available: 9 },
  ]);
  expect(cartStore.read()?.[0]).not.toHaveProperty("variants");
});

test("a card of a product with sizes leads to where one is chosen", async () => {
  products = [aProduct({ variants: sizes })];
  openAppAsMember("/products");

  const all = await screen.findByRole("region", { name: "All products" });
  const choose = within(all).getByRole("link", {
    name: "Choose a size: Enyimba Home Jersey 2026",
  });
  expect(choose).toHaveAttribute("href", "/product/jersey");
  expect(within(all).queryByRole("button", { name: /^Add to cart/ })).toBeNull();
});

test("a size that is gone is named in the cart, and its sister stays as it was", async () => {
  const line = { id: "jersey", name: "Away Jersey", price: 15_000, quantity: 1 };
  serve("post", "/api/v1/products/checkout", () =>
    refusal(409, "product_unavailable", "Not available.", {
      data: {
        lines: [
          { ...line, available: 0, variantId: "size-m", size: "M" },
          { ...line, available: 9, variantId: "size-l", size: "L" },
        ],
      },
    }),
  );
  const jersey = { id: "jersey", name: "Away Jersey", price: 15_000 };
  cartStore.write([
    aCartItem({ ...jersey, variantId: "size-m", size: "M" }),
    aCartItem({ ...jersey, variantId: "size-l", size: "L" }),
  ]);
  const { user } = openAppAsMember("/checkout");
  await user.type(await screen.findByRole("textbox", { name: /Address/ }), "1 Aba Road");
  await chooseKano(user);
  await user.click(screen.getByRole("button", { name: "Complete Order" }));

  expect(await screen.findByText("Away Jersey, M is no longer available.")).toBeInTheDocument();
  expect(screen.getAllByText("Not available")).toHaveLength(1);
  expect(screen.queryByText(/Away Jersey, L is not/)).toBeNull();
  expect(screen.queryByText(/left\.$/)).toBeNull();
});

test("the fee of the chosen state is shown, added and sent as it was seen", async () => {
  options = {
    ...options,
    states: [
      { state: "Lagos", fee: 1500.5 },
      { state: "Kano", fee: 0 },
    ],
  };
  const today = 2000;
  const placed = serve("post", "/api/v1/products/checkout", () =>
    refusal(409, "price_changed", "A price has changed.", {
      data: { lines: [], deliveryFee: today },
    }),
  );
  const { user } = await openCheckout();
  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");
  await screen.findByRole("option", { name: /^Lagos/ });
  await user.selectOptions(screen.getByRole("combobox", { name: /State/ }), "Lagos");
  const details = screen.getByRole("region", { name: "Cart Details" });
  expect(details).toHaveTextContent("Delivery₦1,500.50");
  expect(details).toHaveTextContent("Total₦6,501.50");

  options = { ...options, states: [{ state: "Lagos", fee: 2000 }] };
  await user.click(screen.getByRole("button", { name: "Complete Order" }));

  expect(
    await screen.findByText("The delivery now costs ₦2,000.00 (was ₦1,500.50)."),
  ).toBeInTheDocument();
  expect(placed[0]?.body).toMatchObject({ deliveryFee: 1500.5, billing: { state: "Lagos" } });
  await waitFor(() => expect(details).toHaveTextContent("Total₦7,001.00"));
});

test("the saved address is taken over, and forgotten when asked", async () => {
  const savedAddress = {
    firstName: "Obi",
    lastName: "Ada",
    phone: "08030000000",
    address: "5 Marina",
    state: "Kano",
  };
  options = { ...options, savedAddress };
  const forgotten = serve("delete", "/api/v1/users/:id/address", () => {
    options = { ...options, savedAddress: null };
    return envelope(200, null, "Your address has been deleted.");
  });
  const { user } = await openCheckout();

  await user.click(await screen.findByRole("button", { name: "Use saved address" }));
  expect(screen.getByRole("textbox", { name: /Address/ })).toHaveValue("5 Marina");
  expect(screen.getByRole("combobox", { name: /State/ })).toHaveValue("Kano");
  expect(screen.getByLabelText(/First name/)).toHaveValue("Obi");
  await user.click(screen.getByRole("button", { name: "Delete it" }));

  await waitFor(() =>
    expect(screen.queryByRole("button", { name: "Use saved address" })).toBeNull(),
  );
  expect(forgotten).toHaveLength(1);
});

test("nothing is sent without a state, and no delivery is promised before it", async () => {
  const placed = serve("post", "/api/v1/products/checkout", () => envelope(201, {}));
  cartStore.write([aCartItem({ id: "scarf", name: "Club Scarf", price: 2500.5, quantity: 2 })]);
  const { user } = openAppAsMember("/checkout");
  await screen.findByRole("option", { name: "Choose" });
  await screen.findByRole("option", { name: "Kano" });
  expect(screen.getByRole("combobox", { name: /State/ })).toBeRequired();
  expect(screen.queryByText("Delivery")).toBeNull();
  await user.type(screen.getByRole("textbox", { name: /Address/ }), "1 Aba Road");

  await user.click(screen.getByRole("button", { name: "Complete Order" }));

  expect(await screen.findByRole("alert")).toHaveTextContent("Please choose the state");
  expect(placed).toHaveLength(0);
});
