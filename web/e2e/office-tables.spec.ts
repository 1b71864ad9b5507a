import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { newFan } from "./crowd.ts";
import { test } from "./fixtures.ts";
import { atTheOffice, enterOffice, newOwner } from "./operators.ts";
import { textFaults } from "./text-faults.ts";
import { expectNoSidewaysScroll, untilDrawn } from "./world.ts";

/** Beside the menu the tables are narrowest here. */
const NARROW = { width: 900, height: 768 };
const LISTS = [
  ...["orders", "approvals", "refunds", "members", "clubs", "moments", "products", "plans", "news"],
  ...["questions", "seasons", "fixtures", "fixtures/competitions", "money/proofs", "mails", "jobs"],
  ...["logs", "operators"],
];

/** A paid order, a refund that was requested, and a proposal. */
async function work(office: Page, request: APIRequestContext): Promise<void> {
  const fan = await newFan(request);
  const product = await atTheOffice<{ id: string }>(office, "products", {
    name: "Enyimba Anniversary Windbreaker",
    price: 1_500,
  });
  await atTheOffice(office, "plans", {
    plan: "W".repeat(32) + fan.id.slice(-8),
    amount: 500,
    duration: 1,
    period: "month",
    benefits: ["W".repeat(60)],
    hidden: true,
  });
  await atTheOffice(office, "stock", { productId: product.id, change: 5, reason: "Delivered" });
  const placed = await request.post("/api/v1/products/checkout", {
    data: {
      carts: [{ id: product.id, quantity: 2, price: 1_500 }],
      billing: { firstName: "Ada", lastName: "Obi", phone: "08031234567", address: "Aba" },
      paymentMethod: "bank-transfer",
    },
    headers: { Authorization: `Bearer ${fan.token}` },
  });
  expect(placed.status(), await placed.text()).toBe(201);
  const { orderNumber } = (await placed.json()).data;
  const { id, total, createdAt, product_meta_data } = await atTheOffice<{
    id: string;
    total: number;
    createdAt: string;
    product_meta_data: { line: number }[];
  }>(office, `orders/${orderNumber}`, {}, "GET");
  const { rows } = await atTheOffice<{ rows: { code: string }[] }>(office, "banks", {}, "GET");
  await atTheOffice(office, `orders/${id}/confirm-transfer`, {
    bank: rows[0]?.code,
    reference: `NIP ${orderNumber}`,
    amount: total,
    paidOn: createdAt.slice(0, 10),
  });
  await atTheOffice(office, `orders/${id}/refunds`, {
    lines: [{ line: product_meta_data[0]?.line, quantity: 1 }],
    restock: false,
    reason: "Arrived with a broken zip",
  });
  await atTheOffice(office, `members/${fan.id}/adjustments`, {
    amount: 15_000,
    category: "goodwill",
    reason: "Sorry for the wait at the gate",
  });
}

/** Faults of texts; a wide table or row of tabs may scroll in its own box. */
async function faultsOf(page: Page): Promise<string[]> {
  const faults = await textFaults(page);
  return faults.filter((fault) => !/^(div\.table-scroll|nav\.tabs).* too narrow/.test(fault));
}

test("beside the menu no word of a table breaks, and every title is whole @once", async ({
  page,
  request,
}) => {
  await page.setViewportSize(NARROW);
  await enterOffice(page, await newOwner(request));
  await work(page, request);
  for (const list of LISTS) {
    await page.goto(`/admin/${list}`);
    await expect(page.locator(".list-body")).toBeVisible();
    await untilDrawn(page);
    expect(await faultsOf(page), list).toEqual([]);
    await expectNoSidewaysScroll(page);
  }

  await page.keyboard.press("/");
  await page.keyboard.type("FC-");
  const search = page.getByRole("textbox", { name: "Search members, orders and payments" });
  await expect(search).toHaveValue("FC-");
  expect(await faultsOf(page), "the open search").toEqual([]);
});

test("a packing slip has the width of its paper, and no menu @once", async ({ page, request }) => {
  await enterOffice(page, await newOwner(request));
  await work(page, request);
  await page.goto("/admin/orders?status=processing");
  await page.getByRole("link", { name: /^FC-/ }).first().click();
  await expect(page.getByRole("button", { name: "Print packing slip" })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  const slip = page.locator(".packing-slip");
  for (const paper of [
    { width: 718, height: 1047 },
    { width: 1047, height: 718 },
  ]) {
    await page.setViewportSize(paper);
    await expect(slip).toBeVisible();
    expect((await slip.boundingBox())?.width).toBe(paper.width);
    await expect(page.locator(".side-menu")).toBeHidden();
    await expect(slip.locator(".wordmark")).toBeVisible();
  }
});
