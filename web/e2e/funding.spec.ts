import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import {
  closeCallbackTabs,
  complaintsOf,
  enterAs,
  fillAddress,
  newMember,
  payByCard,
  providerFrame,
} from "./world.ts";

/** The details of the cheapest paid plan, as a member with an empty wallet. */
async function openPlan(page: Page) {
  await page.goto("/subscriptions");
  await page.getByRole("button", { name: "Subscribe" }).first().click();
  const details = page.getByRole("dialog", { name: "Subscription Details" });
  await expect(details.getByText(/^You need .* more\.$/)).toBeVisible();
  return details;
}

test("the provider's frame opens over a plan's details, which are there again afterwards @once", async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  closeCallbackTabs(page);
  const { email } = await newMember(page);
  await enterAs(page, email);
  const details = await openPlan(page);

  const fund = details.getByRole("button", { name: /^Fund ₦.* and subscribe$/ });
  await fund.click();
  await providerFrame(page).getByRole("button", { name: "Cancel payment" }).click();
  await expect(details).toBeVisible();
  await expect(fund).toBeFocused();

  await fund.click();
  await payByCard(page);
  await expect(page.getByText(/^You are subscribed to /)).toBeVisible();
  await expect(details).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test("without money a plan and an order are funded and bought in one go @once", async ({
  browser,
}) => {
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1366, height: 768 },
  ]) {
    const page = await browser.newPage({ viewport });
    const complaints = complaintsOf(page);
    closeCallbackTabs(page);
    const { email } = await newMember(page);
    await enterAs(page, email);

    const details = await openPlan(page);
    await details.getByRole("button", { name: /^Fund ₦.* and subscribe$/ }).click();
    await payByCard(page);
    await expect(page.getByText(/^You are subscribed to /)).toBeVisible();
    await expect(details).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Subscribed" })).toBeDisabled();

    await page.goto("/products");
    const products = page.getByRole("region", { name: "All products" });
    await products.getByRole("button", { name: "Add to cart: Club Scarf" }).click();
    await page.goto("/checkout");
    const pay = page.getByRole("button", { name: /^Fund ₦.* and complete order$/ });
    await pay.click();
    await expect(page.getByRole("alert").getByText("Please fill out the address")).toBeVisible();
    await fillAddress(page);
    await pay.click();
    await payByCard(page);
    await expect(page.getByText(/^Order FC-[A-Z2-9]{6} placed/)).toBeVisible();
    await expect(page.getByRole("region", { name: /^Order FC-/ })).toHaveCount(1);
    expect(complaints).toEqual([]);
    await page.close();
  }
});
