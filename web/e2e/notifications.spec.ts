import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";
import {
  closeCallbackTabs,
  complaintsOf,
  enterAs,
  expectNoViolations,
  newMember,
  payByCard,
  picture,
  tabTo,
} from "./world.ts";

test("a credit is on the bell of every open screen at once, and is read by keyboard", async ({
  page,
  context,
}) => {
  const complaints = complaintsOf(page);
  closeCallbackTabs(page);
  const { email } = await newMember(page);
  await enterAs(page, email);
  await page.goto("/notifications");
  await expect(page.getByText("You have no notifications.")).toBeVisible();
  await picture(page, "notifications-empty");
  const other = await context.newPage();
  await enterAs(other, email);
  await other.goto("/calendar");
  await expect(other.getByRole("link", { name: "Notifications", exact: true })).toBeVisible();

  await page.goto("/wallet");
  await page.getByRole("button", { name: "Fund Wallet" }).click();
  const amount = page.getByRole("dialog", { name: "Fund Wallet" });
  await amount.getByLabel("Amount").fill("5000");
  await amount.getByRole("button", { name: "Fund Wallet" }).click();
  await payByCard(page);
  await expect(page.getByText("Successfully funded your wallet.")).toBeVisible();

  const bell = page.getByRole("link", { name: "Notifications, 1 unread" });
  await expect(bell).toBeVisible();
  await expect(other.getByRole("link", { name: "Notifications, 1 unread" })).toBeVisible();
  await page.bringToFront();
  await tabTo(page, "link", "Notifications, 1 unread");
  await page.keyboard.press("Enter");
  const latest = page.getByRole("region", { name: "Latest" });
  await expect(latest.getByText("Your wallet has been credited with ₦5,000.")).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectNoViolations(page);
    await picture(page, `notifications-${colorScheme}`);
  }
  await tabTo(page, "button", "Mark all as read");
  await page.keyboard.press("Enter");

  for (const each of [page, other]) {
    await expect(each.getByRole("link", { name: "Notifications", exact: true })).toBeVisible();
  }
  await expect(latest.getByText("Unread:")).toHaveCount(0);

  const mail = page.getByRole("region", { name: "Email" });
  const saved = page.waitForResponse(
    (answer) =>
      answer.url().endsWith("/notifications/settings") && answer.request().method() === "PUT",
  );
  await mail.getByRole("switch", { name: "Money" }).uncheck();
  await expect(mail.getByRole("switch", { name: "Money" })).not.toBeChecked();
  await saved;
  await page.reload();
  await expect(mail.getByRole("switch", { name: "Money" })).not.toBeChecked();
  expect(complaints).toEqual([]);
});
