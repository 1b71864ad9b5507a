import { expect, type Page } from "@playwright/test";
import { test } from "./network.ts";
import { enterAs, newMember, PASSWORD, type Person } from "./world.ts";

const ADDRESS = "14 Aba Road, Port Harcourt";
const BELLO = "bello@example.com";
/** Shorter than any of the app's timeouts, so nothing was waited for. */
const CLEAR_TIMEOUT_MS = 2500;

/** Ada, with a filled cart, at the checkout with her address typed. */
async function openCheckout(page: Page, base: string): Promise<Person> {
  const ada = await newMember(page);
  await enterAs(page, ada.email);
  await page.goto(`${base}/products`);
  const products = page.getByRole("region", { name: "All products" });
  await products.getByRole("button", { name: "Add to cart: Club Scarf" }).click();
  await page.getByRole("link", { name: "Cart, 1 item" }).click();
  await page.getByRole("link", { name: "Checkout" }).click();
  await page.getByRole("textbox", { name: "Address" }).fill(ADDRESS);
  return ada;
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
}

/** Nothing of Ada's is on the screen, in the cart or in the browser's storage. */
async function expectNothingOf(ada: Person, page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  await expect(page.getByText("Welcome, Bello")).toBeVisible();
  await expect(page.getByRole("link", { name: "Cart, empty" })).toBeVisible();
  expect(await page.evaluate(() => history.state?.usr ?? null)).toBeNull();
  const kept = await page.evaluate(() =>
    [...Object.entries(localStorage), ...Object.entries(sessionStorage)].flat().join(),
  );
  for (const word of [ada.email, ada.phone, ADDRESS, "Club Scarf"]) {
    expect(kept).not.toContain(word);
  }
}

test("another member who signs in in another tab finds nothing of the first one's here @once", async ({
  page,
  context,
  network,
}) => {
  const ada = await openCheckout(page, network.address);
  const other = await context.newPage();
  await other.goto(`${network.address}/signin`);
  await signIn(other, BELLO);
  await expectNothingOf(ada, other);

  await page.bringToFront();
  await expectNothingOf(ada, page);
  await page.goBack();
  await page.goForward();
  await expect(page.getByText(ADDRESS)).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Complete Order$/ })).toHaveCount(0);
  expect(network.seen.filter((request) => /^POST .*\/checkout/.test(request))).toEqual([]);
});

test("signing out is over at once, whatever becomes of its request @once", async ({
  page,
  network,
}) => {
  const ada = await openCheckout(page, network.address);
  const { reached, release } = network.strike(/^POST .*\/sign-out/, "held");
  await page.getByRole("button", { name: /menu/i }).first().click();

  const tookMs = await page.evaluate(async () => {
    const buttons = Array.from(document.querySelectorAll("button"));
    const pressedAt = performance.now();
    buttons.find(({ textContent }) => textContent?.trim() === "Logout")?.click();
    while (["user", "cart"].some((key) => localStorage.getItem(key) !== null)) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return performance.now() - pressedAt;
  });
  expect(tookMs).toBeLessThan(CLEAR_TIMEOUT_MS);
  await expect(page).toHaveURL(/\/signin$/);
  await reached;

  await signIn(page, BELLO);
  await expectNothingOf(ada, page);
  release();
  await expect(page).toHaveURL(`${network.address}/`);
  await expectNothingOf(ada, page);
});

test("who goes back after the other's sign-out, and signs in, begins on the dashboard @once", async ({
  page,
  network,
}) => {
  const ada = await openCheckout(page, network.address);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("button", { name: "Login" })).toBeVisible();

  await page.goBack();
  await expect(page.getByRole("button", { name: "Login" })).toBeVisible();
  await signIn(page, BELLO);

  await expectNothingOf(ada, page);
});
