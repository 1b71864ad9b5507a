import { expect } from "@playwright/test";
import { test } from "./fixtures.ts";
import {
  complaintsOf,
  enterAs,
  expectNoSidewaysScroll,
  expectNoViolations,
  newMember,
  picture,
} from "./world.ts";

const PAGES = [
  ["Privacy", "Privacy policy"],
  ["Refund", "Refund policy"],
  ["Terms and Conditions", "Terms and conditions"],
] as const;

test.setTimeout(120_000);

test("the legal pages open from the sign-in in new tabs and can be read in twice the size", async ({
  page,
  context,
}) => {
  await page.goto("/signin");
  for (const [link, heading] of PAGES) {
    const opening = context.waitForEvent("page");
    await page.locator("footer").getByRole("link", { name: link, exact: true }).click();
    const tab = await opening;
    await tab.waitForLoadState(); // a reload would meet the page before its first navigation
    const complaints = complaintsOf(tab);
    await tab.reload();
    await expect(tab.getByRole("heading", { level: 1 })).toHaveText(heading);
    await expect(tab).toHaveTitle(`${heading} · King of Fans`);
    await expectNoSidewaysScroll(tab);
    await expectNoViolations(tab);
    await picture(tab, `legal-${link.toLowerCase().replaceAll(" ", "-")}`);
    await tab.emulateMedia({ colorScheme: "dark" });
    await expectNoViolations(tab);
    await tab.evaluate(() => {
      document.documentElement.style.fontSize = "32px";
    });
    await expectNoSidewaysScroll(tab);
    await picture(tab, `legal-${link.toLowerCase().replaceAll(" ", "-")}-large`);
    expect(complaints).toEqual([]);
    await tab.close();
  }
});

test("the legal pages need no scripts @once", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();

  await page.goto(`${baseURL}/legal/terms`);
  await page.getByRole("link", { name: "Privacy policy" }).first().click();

  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy policy");
  await context.close();
});

test("a member with new terms is asked, and goes on after accepting them", async ({ page }) => {
  const complaints = complaintsOf(page);
  const member = await newMember(page);
  await enterAs(page, member.email);
  // The member has accepted the current version with the sign-up: the app believes in an older one.
  await page.route(/\/api\/v1\/users\/[0-9a-f-]{36}$/, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.data.legal = { ...body.data.legal, accepted: "0.9", mustAccept: true };
    await route.fulfill({ response: answer, json: body });
  });

  await page.goto("/badges");
  const dialog = page.getByRole("dialog", { name: "Our terms have changed" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await expectNoSidewaysScroll(page);
  await expectNoViolations(page);
  await picture(page, "new-terms");
  await dialog.getByRole("button", { name: "I accept" }).click();

  await expect(dialog).toBeHidden();
  expect(complaints).toEqual([]);
});

test("a member who is only told closes the notice, which moves nothing", async ({ page }) => {
  const member = await newMember(page);
  await enterAs(page, member.email);
  await page.route(/\/api\/v1\/users\/[0-9a-f-]{36}$/, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    body.data.legal = { ...body.data.legal, accepted: "0.9", mustAccept: false };
    await route.fulfill({ response: answer, json: body });
  });

  await page.goto("/badges");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toBeVisible();
  const before = await heading.boundingBox();
  const notice = page.getByRole("region", { name: "New terms" });
  await expect(notice).toBeVisible();
  expect(await heading.boundingBox()).toEqual(before);
  await expectNoSidewaysScroll(page);
  await expectNoViolations(page);
  await picture(page, "terms-notice");
  await notice.getByRole("button", { name: "OK" }).click();
  await expect(notice).toBeHidden();
});
