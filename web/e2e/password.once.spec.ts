import { expect, test } from "@playwright/test";
import { mailedCode } from "./world.ts";

// Once per run, not once per screen size: an account gets a code a minute and five a day.
test("a forgotten password is replaced with the mailed code", async ({ page }) => {
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
