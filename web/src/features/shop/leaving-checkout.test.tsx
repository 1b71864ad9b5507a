import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { cartStore } from "@/lib/session/cart-store";
import { aCartItem } from "@/test/factories";
import { openAppAsMember } from "@/test/render";
import { envelope, serve } from "@/test/server";

/** On a slow network the script of the next screen takes seconds. */
const script = vi.hoisted(() => {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return { arrived, arrive };
});
vi.mock("@/features/shop/purchases-screen", async (original) => {
  await script.arrived;
  return original();
});

beforeEach(() => {
  serve("get", "/api/v1/products/user/:id", () => envelope(200, []));
  serve("get", "/api/v1/products", () => envelope(200, []));
  serve("get", "/api/v1/products/checkout-options", () => envelope(200, { bankTransfer: null }));
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 25_000 }));
  serve("post", "/api/v1/products/checkout", () =>
    envelope(201, { orderNumber: "FC-7K3Q9X", orderId: "o", total: 5001 }, "Order placed."),
  );
});

test("the checkout stays as it was sent until the purchases are there", async () => {
  cartStore.write([aCartItem({ id: "scarf", name: "Club Scarf", price: 2500.5, quantity: 2 })]);
  const { user } = openAppAsMember("/checkout");
  await user.type(await screen.findByRole("textbox", { name: /Address/ }), "1 Aba Road");

  await user.click(screen.getByRole("button", { name: "Complete Order" }));
  await screen.findByText("Order placed.");
  await waitFor(() => expect(localStorage.getItem("cart")).toBeNull());

  const details = screen.getByRole("region", { name: "Cart Details" });
  expect(details).toHaveTextContent("Club Scarf x 2");
  expect(screen.getByRole("button", { name: /Placing the order/ })).toHaveAttribute(
    "aria-busy",
    "true",
  );
  script.arrive();
  expect(await screen.findByRole("heading", { level: 1, name: "Shoppings" })).toBeInTheDocument();
  await waitFor(() => expect(details).not.toBeInTheDocument());
});
