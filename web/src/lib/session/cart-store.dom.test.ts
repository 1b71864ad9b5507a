import { expect, test } from "vitest";
import { cartStore, cartTotal, withOneMore, withQuantity } from "@/lib/session/cart-store";
import { aCartItem, aProduct } from "@/test/factories";

test("a new product enters the cart once, a known one grows by one", () => {
  const once = withOneMore([], aProduct());
  const twice = withOneMore(once, aProduct());

  expect(once[0]?.quantity).toBe(1);
  expect(twice).toHaveLength(1);
  expect(twice[0]?.quantity).toBe(2);
});

test("a quantity stays between 1 and 99", () => {
  expect(withQuantity([aCartItem()], "jersey", 0)[0]?.quantity).toBe(1);
  expect(withQuantity([aCartItem()], "jersey", 500)[0]?.quantity).toBe(99);
});

test("the total is price times quantity in naira and never counts a sample's dollars", () => {
  const cart = [
    aCartItem({ price: 2500.1, quantity: 3 }),
    aCartItem({ id: "1", price: 29.99, sample: true }),
  ];

  expect(cartTotal(cart)).toBe(7500.3);
});

test("the cart is kept under the storage key cart and a damaged one counts as empty", () => {
  cartStore.write([aCartItem()]);
  expect(JSON.parse(localStorage.getItem("cart") ?? "")).toHaveLength(1);

  localStorage.setItem("cart", "{not json");
  expect(cartStore.read()).toBeNull();

  localStorage.setItem("cart", JSON.stringify([{ id: 1 }, aCartItem()]));
  expect(cartStore.read()).toHaveLength(1);
});
