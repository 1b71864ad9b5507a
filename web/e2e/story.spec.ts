import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import {
  complaintsOf,
  enterAs,
  expectNoSidewaysScroll,
  fillAddress,
  fillSignUp,
  mailedCode,
  newMember,
  newPerson,
  PASSWORD,
  type Person,
  picture,
} from "./world.ts";

const CARD = { number: "4084084084084081", expiry: "12/30", cvv: "408" };

async function signUp(page: Page, person: Person): Promise<void> {
  await page.goto("/signup");
  await fillSignUp(page, person, "Enyimba", async (step) => {
    await picture(page, `01-sign-up-${step}`);
    await expectNoSidewaysScroll(page);
  });
  await page.getByRole("button", { name: "Sign Up" }).click();
}

async function activate(page: Page, person: Person): Promise<void> {
  await expect(page.getByRole("heading", { name: "OTP Validation" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  const input = page.getByPlaceholder("Enter 6 code here");
  await expect(input).toBeFocused();
  const code = await mailedCode(person.email);
  await picture(page, "02-otp-validation");
  await expect(page.getByRole("timer")).toHaveText(/^You can request a new code/);
  await page.reload();
  await expect(page.getByRole("timer")).toHaveText(/You can request a new code in 0:\d\d\./);
  await input.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await expect(page.getByText("Taking you to the sign-in page.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Login" })).toBeVisible();
  await expect(page).toHaveURL(/\/signin$/);
}

async function signIn(page: Page, person: Person): Promise<void> {
  await expect(page.getByLabel("Email")).toHaveValue(person.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await picture(page, "03-sign-in");
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
}

async function fundByCard(page: Page, amount: string): Promise<void> {
  await page.getByRole("button", { name: "Fund Wallet" }).click();
  const modal = page.getByRole("dialog", { name: "Fund Wallet" });
  await modal.getByLabel("Amount").fill(amount);
  await picture(page, "05-fund-wallet");
  await modal.getByRole("button", { name: "Fund Wallet" }).click();

  const checkout = page.frameLocator('iframe[src*="popup"]');
  await checkout.getByLabel("Card number").fill(CARD.number);
  await checkout.getByLabel(/Expiry/).fill(CARD.expiry);
  await checkout.getByLabel("CVV").fill(CARD.cvv);
  await picture(page, "06-provider-frame");
  await checkout.getByRole("button", { name: /^Pay NGN/ }).click();
}

async function addToCart(page: Page, product: string): Promise<void> {
  await page
    .getByRole("region", { name: "All products" })
    .getByRole("button", { name: `Add to cart: ${product}` })
    .click();
  await expect(page.getByText("Item successfully added to cart!")).toBeVisible();
}

test("sign up, activate, sign in, fund the wallet, buy, and see the purchase", async ({ page }) => {
  const complaints = complaintsOf(page);
  const person = newPerson(test.info().project.name);

  await signUp(page, person);
  await activate(page, person);
  await signIn(page, person);
  await expect(page.getByText("Welcome, Ada")).toBeVisible();
  await expect(page.getByText("₦0.00")).toBeVisible();
  await picture(page, "04-dashboard");
  await expectNoSidewaysScroll(page);

  await fundByCard(page, "25000");
  await expect(page.getByText("Successfully funded your wallet.")).toBeVisible();
  await expect(page.getByText("₦25,000.00")).toBeVisible();
  await picture(page, "07-funded");

  await page.goto("/products");
  await expect(page.getByRole("heading", { name: "Popular This Week" })).toBeVisible();
  await picture(page, "08-products");
  await expectNoSidewaysScroll(page);
  await addToCart(page, "Enyimba Home Jersey 2026");
  await addToCart(page, "Club Scarf");
  await addToCart(page, "Club Scarf");

  await page.getByRole("link", { name: "Cart, 3 items" }).click();
  await expect(page.getByText("Club Scarf (x2)")).toBeVisible();
  await expect(page.getByText("₦20,001.00")).toBeVisible();
  await picture(page, "09-cart");
  await expectNoSidewaysScroll(page);
  await page.getByRole("link", { name: "Checkout" }).click();

  await expect(page.getByLabel("First name")).toHaveValue("Ada");
  await fillAddress(page);
  await picture(page, "10-checkout");
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Complete Order" }).click();

  await expect(page.getByRole("heading", { level: 1, name: "Shoppings" })).toBeVisible();
  await expect(page.getByText(/^Order FC-[A-Z2-9]{6} placed/)).toBeVisible();
  const order = page.getByRole("region", { name: /^Order FC-/ });
  await expect(order.getByText("Paid", { exact: true })).toHaveCount(2);
  await expect(order.getByText("Wallet")).toHaveCount(2);
  await expect(page.getByRole("link", { name: "Cart, empty" })).toBeVisible();
  await picture(page, "11-purchases");
  await expectNoSidewaysScroll(page);

  await page.goto("/wallet");
  await expect(page.locator(".wallet-balance")).toHaveText("₦4,999.00");
  await expect(page.getByText("−₦20,001.00")).toBeVisible();
  await picture(page, "12-wallet");
  await expectNoSidewaysScroll(page);
  expect(complaints).toEqual([]);
});

test("an order by bank transfer waits for its payment and says how to pay", async ({ page }) => {
  // A separate member: only three orders may wait for a transfer at once.
  const { email } = await newMember(page);
  await enterAs(page, email);
  await page.goto("/products");
  await addToCart(page, "Club Scarf");
  await page.goto("/checkout");
  await fillAddress(page);
  await page.getByText("Bank Transfer").click();
  await expect(page.getByText("King of Fans Demo")).toBeVisible();
  await picture(page, "13-bank-transfer");
  await page.getByRole("button", { name: "Complete Order" }).click();

  const order = page.getByRole("region", { name: /^Order FC-/ }).first();
  await expect(order.getByText("No payment yet")).toBeVisible();
  await expect(order.getByText("Pending")).toBeVisible();
  await expect(order.getByText("0000000000")).toBeVisible();
  await expect(order.getByRole("button", { name: "Copy reference" })).toBeVisible();
  await picture(page, "14-awaits-transfer");
});

test("closing the provider's frame changes nothing, and the next try opens it again", async ({
  page,
}) => {
  await enterAs(page, "bello@example.com");
  await page.goto("/");
  for (const amount of ["1000", "2000"]) {
    await page.getByRole("button", { name: "Fund Wallet" }).click();
    const modal = page.getByRole("dialog", { name: "Fund Wallet" });
    await modal.getByLabel("Amount").fill(amount);
    await modal.getByRole("button", { name: "Fund Wallet" }).click();
    const checkout = page.frameLocator('iframe[src*="popup"]');
    await expect(checkout.getByRole("button", { name: /^Pay NGN/ })).toContainText(
      amount === "1000" ? "1,000" : "2,000",
    );
    await checkout.getByRole("button", { name: "Cancel payment" }).click();
    await expect(page.getByText("is not finished")).toHaveCount(0);
  }
});

test("a wrong password is told and changes nothing", async ({ page }) => {
  await page.goto("/signin");
  await page.getByLabel("Email").fill("nobody.here@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Wrong-2026");
  await page.getByRole("button", { name: "Login" }).click();

  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page).toHaveURL(/\/signin$/);
});

// On one screen size only: codes are limited per account and day.
test("a forgotten password is replaced with the mailed code @once", async ({ page }) => {
  await page.goto("/signin");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Forgot password?" })).toBeVisible();
  await page.getByLabel("Email").fill("ops@example.com");
  await page.getByRole("button", { name: "Send the code" }).click();
  await page.getByLabel("Code").fill(await mailedCode("ops@example.com"));
  await page.getByLabel("New password", { exact: true }).fill("Terrace-2027");
  await page.getByLabel("Confirm password", { exact: true }).fill("Terrace-2027");
  await page.getByRole("button", { name: "Set the new password" }).click();

  await expect(page.getByRole("heading", { level: 1, name: "Login" })).toBeVisible();
  await page.getByLabel("Email").fill("ops@example.com");
  await page.getByLabel("Password", { exact: true }).fill("Terrace-2027");
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
});
