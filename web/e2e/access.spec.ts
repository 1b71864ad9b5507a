import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import {
  enterAs,
  expectNoSidewaysScroll,
  expectNoViolations,
  newMember,
  PASSWORD,
  picture,
  tabTo,
  untilDrawn,
} from "./world.ts";

const PUBLIC = ["/signin", "/signup", "/activate-account/x", "/forgot-password", "/no-such-page"];
const MEMBERS = [
  "/",
  "/wallet",
  "/products",
  "/product/2",
  "/orders",
  "/checkout",
  "/shopping",
  "/battle-zone",
  "/subscriptions",
  "/trivia-questions",
  "/leaderboard",
  "/points",
  "/chats",
  "/posts",
  "/news",
  "/calendar",
  "/notifications",
];

// Colours do not depend on the width: the phone checks both schemes, all others one each.
const SCHEMES: Record<string, ("light" | "dark")[]> = {
  phone: ["light", "dark"],
  tablet: ["dark"],
  desktop: ["light"],
};

/** Check a loaded screen in each scheme of this width, and save a screenshot as `name`. */
async function check(page: Page, name?: string): Promise<void> {
  await untilDrawn(page);
  for (const colorScheme of SCHEMES[test.info().project.name] ?? []) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectNoViolations(page);
    await expectNoSidewaysScroll(page);
    if (name !== undefined) {
      await picture(page, `${colorScheme}${name}`);
    }
  }
}

test("no screen has an accessibility violation or scrolls sideways", async ({ page }) => {
  for (const address of PUBLIC) {
    await page.goto(address);
    await check(page);
  }
  await enterAs(page, "ada@example.com");
  await page.goto("/products");
  await page.getByRole("button", { name: "Add to cart: Club Scarf" }).first().click();
  for (const address of MEMBERS) {
    await page.goto(address);
    await check(page, address.replaceAll("/", "-"));
  }
  await page.goto("/");
  await page.getByRole("button", { name: "Fund Wallet" }).click();
  await check(page);
});

test("signing in and checking out need no mouse", async ({ page }) => {
  // A separate member: only three orders may wait for a transfer at once.
  const { email } = await newMember(page);
  await page.goto("/signin");
  await page.getByRole("heading", { name: "Login" }).waitFor();
  await tabTo(page, "textbox", "Email");
  await page.keyboard.type(email);
  await tabTo(page, "textbox", "Password");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();

  await page.keyboard.press("Tab");
  await page.goto("/products");
  await page.getByRole("heading", { name: "All products" }).waitFor();
  await tabTo(page, "link", "Skip to the content");
  await page.keyboard.press("Enter");
  await expect(page.locator("#content")).toBeFocused();
  await tabTo(page, "button", "Add to cart: Club Scarf");
  await page.keyboard.press("Enter");
  await page.goto("/orders");
  await page.getByText("Club Scarf (x1)").waitFor();
  await tabTo(page, "link", "Checkout");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Shipping Address" }).waitFor();
  await tabTo(page, "textbox", "Address");
  await page.keyboard.type("14 Aba Road, Port Harcourt");
  await tabTo(page, "combobox", "State");
  await page.keyboard.type("Delta");
  await expect(page.getByRole("combobox", { name: "State" })).toHaveValue("Delta");
  await tabTo(page, "radio", "Wallet");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "Bank Transfer" })).toBeChecked();
  await tabTo(page, "button", "Complete Order");
  await page.keyboard.press("Enter");

  await expect(page.getByRole("heading", { level: 1, name: "Shoppings" })).toBeVisible();
});

test("the drawer of a small screen keeps the focus and gives it back @drawer", async ({ page }) => {
  await enterAs(page, "ada@example.com");
  await page.goto("/calendar");
  await page.getByRole("button", { name: "Open menu" }).click();
  const close = page.getByRole("button", { name: "Close menu" });
  await expect(close).toBeFocused();
  await picture(page, "15-menu");

  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press("Tab");
    const inside = await page.evaluate(
      () => document.activeElement?.closest("#side-menu") !== null,
    );
    expect(inside).toBe(true);
  }
  await page.keyboard.press("Escape");

  await expect(page.getByRole("button", { name: "Open menu" })).toBeFocused();
  await expect(close).toBeHidden();
});
