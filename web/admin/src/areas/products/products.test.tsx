import { screen, within } from "@testing-library/react";
import { http } from "msw";
import { expect, test } from "vitest";
import { envelope, refusal, serve, server } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const ID = "0199f2a4-0000-7000-8000-0000000000d1";
const PRODUCT = `/api/v1/admin/products/${ID}`;
const shopkeeper = anOperator({ rights: ["shop:read", "shop:write"] });

function aProduct(facts: object = {}) {
  return {
    id: ID,
    name: "Club Scarf",
    price: 2500.5,
    description: "Warm.",
    image: "/images/scarf.webp",
    thumbnail: "/images/scarf-small.webp",
    star: 4,
    hidden: false,
    position: 3,
    version: 2,
    stock: 12,
    allocated: 3,
    available: 9,
    variants: [
      {
        id: "0199f2a4-0000-7000-8000-0000000000d2",
        size: "M",
        isDefault: true,
        hidden: false,
        position: 1,
        version: 5,
        stock: 12,
        allocated: 3,
        available: 9,
      },
    ],
    ...facts,
  };
}

test("a new product is made and opened", async () => {
  serve("get", "/api/v1/admin/products", () => page([]));
  serve("get", PRODUCT, () => envelope(200, aProduct()));
  const sent = serve("post", "/api/v1/admin/products", () => envelope(201, aProduct(), "Saved."));
  const { user } = openOffice("/products", shopkeeper);

  await user.click(await screen.findByRole("button", { name: "New product" }));
  const dialog = await screen.findByRole("dialog", { name: "New product" });
  await user.type(within(dialog).getByLabelText(/Name/), "Club Scarf");
  await user.type(within(dialog).getByLabelText(/Price/), "2,500.50");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));

  expect(await screen.findByRole("heading", { name: "Club Scarf" })).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({ name: "Club Scarf", price: 2500.5, hidden: false });
});

test("stock says what orders hold, and sends what came or went with the reason", async () => {
  serve("get", PRODUCT, () => envelope(200, aProduct()));
  const sent = serve("post", "/api/v1/admin/stock", () =>
    refusal(409, "stock_allocated", "3 units belong to orders."),
  );
  const { user } = openOffice(`/products/${ID}`, shopkeeper);

  await user.click(await screen.findByRole("button", { name: "Stock" }));
  const dialog = await screen.findByRole("dialog", { name: "Stock of Club Scarf, M" });
  expect(dialog).toHaveTextContent("12 on the shelf: 3 units allocated to orders, 9 available.");
  await user.type(within(dialog).getByLabelText(/^Units added/), "-10");
  await user.type(within(dialog).getByLabelText(/Reason/), "Torn");
  await user.click(within(dialog).getByRole("button", { name: "Stock" }));

  expect(await screen.findByText("3 units belong to orders.")).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({
    productId: ID,
    variantId: "0199f2a4-0000-7000-8000-0000000000d2",
    change: -10,
    reason: "Torn",
  });
});

test("an upload beside the form neither loses what was typed nor makes it a conflict", async () => {
  let stored = aProduct();
  serve("get", PRODUCT, () => envelope(200, stored));
  server.use(
    http.post(`${PRODUCT}/picture`, () => {
      stored = aProduct({ version: 3, image: "/media/new.webp" });
      return envelope(200, stored, "The picture is there.");
    }),
  );
  const sent = serve("patch", PRODUCT, () => envelope(200, aProduct({ version: 4 }), "Saved."));
  const { user, container } = openOffice(`/products/${ID}`, shopkeeper);

  await user.type(await screen.findByLabelText(/Name/), " 2026");
  await user.click(screen.getByRole("button", { name: "Upload picture" }));
  const dialog = await screen.findByRole("dialog", { name: "Upload picture" });
  await user.upload(within(dialog).getByLabelText(/Picture/), new File(["x"], "scarf.png"));
  await user.click(within(dialog).getByRole("button", { name: "Upload picture" }));
  await screen.findByText("The picture is there.");
  await expect
    .poll(() => container.querySelector(".present-picture img")?.getAttribute("src"))
    .toBe("/media/new.webp");
  await user.click(screen.getByRole("button", { name: "Save" }));

  expect(await screen.findByText("Saved.")).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({ name: "Club Scarf 2026", version: 3 });
});
