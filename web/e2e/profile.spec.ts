import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import {
  complaintsOf,
  enterAs,
  expectNoSidewaysScroll,
  expectNoViolations,
  newMember,
  PASSWORD,
  picture,
  tabTo,
} from "./world.ts";

const RED = "#c8102e";
const GREEN = "#0a6239";

/** A PNG of 1200 x 800 whose left half is red and whose right half is green. */
async function twoColouredPicture(page: Page): Promise<Buffer> {
  const address = await page.evaluate(
    ([red, green]) => {
      const canvas = document.createElement("canvas");
      canvas.width = 1200;
      canvas.height = 800;
      const pencil = canvas.getContext("2d") as CanvasRenderingContext2D;
      pencil.fillStyle = red as string;
      pencil.fillRect(0, 0, 600, 800);
      pencil.fillStyle = green as string;
      pencil.fillRect(600, 0, 600, 800);
      return canvas.toDataURL("image/png");
    },
    [RED, GREEN],
  );
  return Buffer.from(address.split(",")[1] ?? "", "base64");
}

/** The displayed picture's width, and whether red or green is in its middle. */
async function middleOf(image: Locator): Promise<{ width: number; isGreen: boolean }> {
  return image.evaluate(async (element) => {
    const shown = element as HTMLImageElement;
    await shown.decode();
    const canvas = document.createElement("canvas");
    canvas.width = shown.naturalWidth;
    canvas.height = shown.naturalHeight;
    const pencil = canvas.getContext("2d") as CanvasRenderingContext2D;
    pencil.drawImage(shown, 0, 0);
    const middle = pencil.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data;
    return { width: shown.naturalWidth, isGreen: (middle[1] ?? 0) > (middle[0] ?? 0) };
  });
}

async function crop(page: Page): Promise<void> {
  await page.locator("input[type=file]").setInputFiles({
    name: "me.png",
    mimeType: "image/png",
    buffer: await twoColouredPicture(page),
  });
  const modal = page.getByRole("dialog", { name: "Crop your picture" });
  const circle = modal.locator(".ReactCrop__crop-selection");
  await circle.focus();
  await page.keyboard.press("Control+ArrowRight");
  await expectNoViolations(page);
  await picture(page, "40-crop");
  await modal.getByRole("button", { name: "Use picture" }).click();
  await expect(modal).toBeHidden();
}

test("a member tells everything, with a cropped picture, and it stays @once", async ({ page }) => {
  const complaints = complaintsOf(page);
  const person = await newMember(page);
  await enterAs(page, person.email);
  await page.goto("/");
  await page.getByRole("link", { name: /^Ada\b.*profile$/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Editing Profile" })).toBeVisible();
  await expect(page.getByText("Update your Kyc for recognition.")).toBeVisible();
  await expect(page.getByText("2 of 8 completed")).toBeVisible();

  await page.locator("input[type=file]").setInputFiles({
    name: "IMG_0001.HEIC",
    mimeType: "image/heic",
    buffer: Buffer.from("not a picture"),
  });
  await expect(page.getByText(/^This browser cannot open HEIC pictures/)).toBeVisible();
  await crop(page);

  await page.getByLabel("First name").fill("Adaeze");
  await page.getByLabel("Gender").selectOption("female");
  await page.getByLabel("Date of birth").fill("2020-05-14");
  await page.getByLabel("Name", { exact: true }).fill("Bello Musa");
  await page.getByLabel("Phone number").fill("0803 111 2222");
  await page.getByLabel("Address").fill("12 Aba Road, Umuahia");
  await page.getByLabel("Bank", { exact: true }).selectOption({ label: "Guaranty Trust Bank" });
  await page.getByLabel("Account Holder's Name").fill("Adaeze Obi");
  await page.getByLabel("Account number").fill("0123456788");
  await expect(page.getByText("8 of 8 completed")).toBeVisible();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("You must be at least 13 years old")).toBeVisible();
  await expect(page.getByLabel("Date of birth")).toBeFocused();
  await page.getByLabel("Date of birth").fill("1999-05-14");
  await picture(page, "41-profile-typed");
  await page.getByLabel("Account number").press("Enter");
  await expect(page.getByText("Your profile has been saved.")).toBeVisible();
  await expect(page.getByText("All saved")).toBeVisible();

  await page.reload();
  await expect(page.getByLabel("First name")).toHaveValue("Adaeze");
  await expect(page.getByLabel("Gender")).toHaveValue("female");
  await expect(page.getByLabel("Date of birth")).toHaveValue("1999-05-14");
  await expect(page.getByLabel("Email")).toHaveValue(person.email);
  await expect(page.getByLabel("Phone number")).toHaveValue("+2348031112222");
  await expect(page.getByLabel("Address")).toHaveValue("12 Aba Road, Umuahia");
  await expect(page.getByLabel("Bank", { exact: true })).toHaveValue("058");
  await expect(page.getByLabel("Account Holder's Name")).toHaveValue("Adaeze Obi");
  await expect(page.getByLabel("Account number")).toHaveValue("0123456788");
  const preview = page.getByRole("img", { name: "How others see you" });
  expect((await preview.boundingBox())?.width).toBe(126);
  const inHeader = page.getByRole("link", { name: /^Adaeze\b.*profile$/ }).locator("img");
  expect(await middleOf(inHeader)).toEqual({ width: 512, isGreen: true });
  await picture(page, "42-profile");
  expect(complaints).toEqual([]);
});

test("unsaved changes are not left by accident @once", async ({ page }) => {
  await enterAs(page, "bello@example.com");
  await page.goto("/calendar");
  await page.getByRole("link", { name: /^Bello\b.*profile$/ }).click();
  await page.getByLabel("Address").fill("7 Zoo Road, Kano");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });

  await page.getByRole("link", { name: "Shop", exact: true }).click();
  await picture(page, "43-leave");
  await question.getByRole("button", { name: "Keep editing" }).click();
  await page.evaluate(() => window.history.back());
  await expect(question).toBeVisible();
  await expect(page).toHaveURL(/\/profile$/);
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("Address")).toHaveValue("7 Zoo Road, Kano");
  await expect(page.getByLabel("Address")).toBeInViewport();

  const closing = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => window.location.reload()));
  const asked = await closing;
  expect(asked.type()).toBe("beforeunload");
  await asked.dismiss();
  await expect(page.getByLabel("Address")).toHaveValue("7 Zoo Road, Kano");

  await page.evaluate(() => window.history.back());
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Matches" })).toBeVisible();
  await page.getByRole("link", { name: /^Bello\b.*profile$/ }).click();
  await expect(page.getByLabel("Address")).toHaveValue("");
});

test("theme, low data, devices, one's data and leaving for good @once", async ({
  page,
  browser,
}) => {
  const complaints = complaintsOf(page);
  const person = await newMember(page);
  await enterAs(page, person.email);
  const otherContext = await browser.newContext();
  const elsewhere = await otherContext.newPage();
  await enterAs(elsewhere, person.email);
  await elsewhere.goto("/settings");
  await expect(elsewhere.getByText("This device")).toBeVisible();

  await page.goto("/settings");
  const otherTab = await page.context().newPage();
  await otherTab.goto("/settings");
  const app = page.getByRole("region", { name: "This app" });
  await app.getByText("Dark").click();
  await app.getByRole("switch", { name: "Low data" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(otherTab.locator("html")).toHaveAttribute("data-theme", "dark");
  await expect(otherTab.getByRole("switch", { name: "Low data" })).toBeChecked();
  await otherTab.close();
  await app.getByText("Light").click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");

  const devices = page.getByRole("region", { name: "Devices" });
  await expect(devices.getByRole("listitem")).toHaveCount(2);
  await picture(page, "44-settings");
  await devices.getByRole("button", { name: "Sign out everywhere else" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page.getByText("You have signed out everywhere else.")).toBeVisible();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await elsewhere.reload();
  await expect(elsewhere.getByRole("heading", { name: "Login" })).toBeVisible();
  await otherContext.close();

  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download my data" }).click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^king-of-fans-\d{4}-\d\d-\d\d\.json$/);
  const held = JSON.parse(readFileSync(await file.path(), "utf8"));
  expect(held.profile).toMatchObject({ firstName: person.firstName, email: person.email });

  await tabTo(page, "button", "Delete my account");
  await page.keyboard.press("Enter");
  const modal = page.getByRole("dialog", { name: "Delete my account" });
  await expect(modal.getByLabel("Password", { exact: true })).toBeFocused();
  await page.keyboard.type("not-my-password");
  await page.keyboard.press("Enter");
  await expect(modal.getByText("This is not your password.")).toBeVisible();
  await expectNoViolations(page);
  await picture(page, "45-delete");
  await modal.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Login" })).toBeVisible();
  await expect(page.getByText(/^Your account has been deleted\. Goodbye/)).toBeVisible();
  const again = await page.request.post("/api/v1/sign-in/username-password", {
    data: { username: person.email, password: PASSWORD },
  });
  expect(again.status()).toBe(400);
  expect(complaints).toEqual([]);
});

test("profile and settings hold in light and dark on every width", async ({ page }) => {
  await enterAs(page, "ada@example.com");
  for (const address of ["/profile", "/settings"]) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await picture(page, `${colorScheme}${address.replace("/", "-")}`);
      await expectNoViolations(page);
      await expectNoSidewaysScroll(page);
    }
  }
  await tabTo(page, "link", "Edit");
  await page.keyboard.press("Enter");
  await tabTo(page, "textbox", "First name");
});
