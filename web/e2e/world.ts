import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import axe, { type RunOnly } from "axe-core";

const ALL_RULES: RunOnly = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
};
/** Rules about colours, the only difference between light and dark. */
const COLOUR_RULES: RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

export const PASSWORD = "Terrace-2026";
const OUTBOX = path.join(process.env["E2E_VAR_DIR"] ?? "", "outbox");
const PICTURES = path.resolve("../test-output/screens");

const CARD = { number: "4084084084084081", expiry: "12/30", cvv: "408" };

export interface Person {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
}

/** A new member: the e-mail and the phone are unique to this test run. */
export function newPerson(project: string): Person {
  const number = Math.floor(Math.random() * 1e8)
    .toString()
    .padStart(8, "0");
  return {
    firstName: "Ada",
    lastName: "Obi",
    email: `new.ada.${project}.${number}@example.com`,
    phone: `080${number}`,
  };
}

/** The newest code mailed to `email`, read from a development outbox. */
export async function mailedCode(email: string, outbox = OUTBOX): Promise<string> {
  let code = "";
  await expect
    .poll(() => {
      code = newestCode(email, outbox);
      return code;
    })
    .toMatch(/^\d{6}$/);
  return code;
}

/** The code sent by SMS to a Nigerian number, read from the development outbox. */
export async function textedCode(phone: string): Promise<string> {
  const to = `To: +234${phone.replace(/^0/, "")}\n`;
  let code = "";
  await expect
    .poll(() => {
      const texts = existsSync(OUTBOX) ? readdirSync(OUTBOX) : [];
      code =
        texts
          .filter((name) => name.endsWith(".sms"))
          .sort()
          .map((name) => readFileSync(path.join(OUTBOX, name), "utf8"))
          .filter((text) => text.startsWith(to))
          .map((text) => /^(\d{6}) is your/m.exec(text)?.[1] ?? "")
          .at(-1) ?? "";
      return code;
    })
    .toMatch(/^\d{6}$/);
  return code;
}

function newestCode(email: string, outbox: string): string {
  if (!existsSync(outbox)) {
    return "";
  }
  const mails = readdirSync(outbox)
    .filter((name) => name.endsWith(".eml"))
    .map((name) => path.join(outbox, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    .map((file) => readFileSync(file, "utf8"))
    .filter((mail) => mail.includes(email));
  // Notification mails have no code.
  for (const mail of mails) {
    const body = mail
      .split(/\r?\n\r?\n/)
      .slice(1)
      .join("\n");
    const code = /^ {4}(\d{6})\r?$/m.exec(body)?.[1];
    if (code !== undefined) {
      return code;
    }
  }
  return "";
}

/** Press Continue, and wait for the step with this heading. */
export async function continueTo(page: Page, heading: string): Promise<void> {
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: heading })).toBeFocused();
}

/** Fill in the second step of the sign-up. */
export async function fillDetails(page: Page, person: Person): Promise<void> {
  await page.getByLabel("First name").fill(person.firstName);
  await page.getByLabel("Last name").fill(person.lastName);
  await page.getByLabel("Phone").fill(person.phone);
  await page.getByLabel("Email").fill(person.email);
}

/** Fill in the third step of the sign-up. */
export async function fillPassword(page: Page): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password", { exact: true }).fill(PASSWORD);
  await page.getByRole("checkbox").check();
}

/**
 * Walk through the steps of an open sign-up until only Sign Up is left to press; a club of null is
 * already chosen. `onStep` is called before each step is left.
 */
export async function fillSignUp(
  page: Page,
  person: Person,
  club: string | null = "Enyimba",
  onStep: (step: number) => Promise<void> = async () => undefined,
): Promise<void> {
  if (club !== null) {
    await page.getByRole("radio", { name: club, exact: true }).check();
    await onStep(1);
    await continueTo(page, "Your details");
  }
  await fillDetails(page, person);
  await onStep(2);
  await continueTo(page, "Password and terms");
  await fillPassword(page);
  await onStep(3);
}

/** A new member with an empty profile: uses up nothing that another test needs. */
export async function newMember(page: Page): Promise<Person> {
  const person = newPerson(test.info().project.name);
  const clubs = await (await page.request.get("/api/v1/clubs")).json();
  const club = clubs.data.find((each: { name: string }) => each.name === "Enyimba");
  const joined = await page.request.post("/api/v1/signup", {
    data: { ...person, username: person.email, club: club.id, password: PASSWORD, tnc: true },
  });
  expect(joined.status()).toBe(201);
  const { id: userId } = (await joined.json()).data;
  const code = await mailedCode(person.email);
  const active = await page.request.post("/api/v1/signup/validate-token", {
    data: { userId, code },
  });
  expect(active.ok()).toBe(true);
  return person;
}

/** Sign in over HTTP and open the app as this member. */
export async function enterAs(page: Page, email: string): Promise<void> {
  const answer = await page.request.post("/api/v1/sign-in/username-password", {
    data: { username: email, password: PASSWORD },
  });
  expect(answer.status()).toBe(200);
  const { data } = await answer.json();
  const user = JSON.stringify({ ...data.user, userToken: data.access_token });
  await page.addInitScript((stored) => {
    if (window.top === window && !sessionStorage.getItem("entered")) {
      sessionStorage.setItem("entered", "yes");
      localStorage.setItem("user", stored);
    }
  }, user);
}

/** Wait for a heading, then for everything else: an empty screen has no skeleton either. */
export async function untilDrawn(page: Page): Promise<void> {
  await expect(page.getByRole("heading").first()).toBeVisible();
  await expect(page.locator(".spinner:visible, .skeleton:visible")).toHaveCount(0);
}

/** Wait until the screen has rendered; with `E2E_PICTURES` set, save a screenshot. */
export async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await untilDrawn(page);
  if (process.env["E2E_PICTURES"] !== undefined) {
    const file = `${name}-${test.info().project.name}.png`;
    await page.screenshot({ path: path.join(PICTURES, file), fullPage: false });
  }
}

/** Press Dismiss on a toast, unless it has just expired. */
export async function dismiss(toast: Locator): Promise<void> {
  await toast
    .getByRole("button", { name: "Dismiss" })
    .evaluateAll((buttons: HTMLElement[]) => buttons.forEach((button) => void button.click()));
  await expect(toast).toHaveCount(0);
}

/** Close tabs that the app opens: a page behind one renders once a second. */
export function closeCallbackTabs(page: Page): void {
  page.on("popup", (tab) => void tab.waitForLoadState().then(() => tab.close()));
}

/** Two frames: what was just drawn is measured. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/** No screen may be wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(excess, `${page.url()} scrolls sideways`).toBeLessThanOrEqual(0);
}

/** Collects every browser error while a test runs. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !isExpected(message.text())) {
      complaints.push(message.text());
    }
  });
  return complaints;
}

/**
 * The provider's library writes a style element for its dark overlay, which our policy refuses and
 * which it does not need. A refused call is logged by the browser and handled by the screen. The
 * socket library also says goodbye when the server closes the socket at that moment, as it does
 * after an account was deleted: the browser then logs that the socket is closed.
 */
function isExpected(text: string): boolean {
  return (
    /Failed to load resource: the server responded with a status of 4\d\d/.test(text) ||
    /(?:applying|apply) inline style/i.test(text) ||
    text.includes("WebSocket is already in CLOSING or CLOSED state.")
  );
}

/** Documents that passed all rules when they were last checked. */
const accessible = new WeakMap<Page, string>();

/**
 * Run all accessibility rules of axe.
 *
 * A document that has not changed since it passed is checked for its colours only.
 */
export async function expectNoViolations(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (await frame.evaluate(() => !("axe" in window))) {
      await frame.evaluate(axe.source);
    }
  }
  const found = await page.evaluate(documentText);
  const runOnly = accessible.get(page) === found ? COLOUR_RULES : ALL_RULES;
  expect(await page.evaluate(violations, runOnly), page.url()).toEqual([]);
  accessible.set(page, found);
}

/** Runs in the page: its content, and the size of its window. */
function documentText(): string {
  return [location.href, innerWidth, innerHeight, document.documentElement.outerHTML].join();
}

/** Runs in the page. */
async function violations(runOnly: RunOnly): Promise<string[]> {
  const { axe } = window as unknown as { axe: typeof import("axe-core") };
  const result = await axe.run(document, {
    resultTypes: ["violations"],
    preload: { assets: ["media"] }, // none of these rules depends on style sheets
    runOnly,
  });
  return result.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join()}`,
  );
}

/** Fill in the checkout's address, in a state with free delivery. */
export async function fillAddress(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Address" }).fill("14 Aba Road, Port Harcourt");
  await page.getByRole("combobox", { name: "State" }).selectOption("Delta");
}

/** Press Tab until the element has the focus; fails if it cannot be reached. */
export async function tabTo(
  page: Page,
  role: "button" | "combobox" | "link" | "textbox" | "radio",
  name: string | RegExp,
) {
  const wanted = page.getByRole(role, { name }).first();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await wanted.evaluate((element) => element === document.activeElement)) {
      return;
    }
    await page.keyboard.press("Tab");
  }
  throw new Error(`${role} ${name} cannot be reached with Tab`);
}

/** The provider's checkout, in its frame over the page. */
export function providerFrame(page: Page) {
  return page.frameLocator('iframe[src*="popup"]');
}

/** Pay the checkout with a card that succeeds. */
export async function payByCard(page: Page): Promise<void> {
  const checkout = providerFrame(page);
  await checkout.getByLabel("Card number").fill(CARD.number);
  await checkout.getByLabel(/Expiry/).fill(CARD.expiry);
  await checkout.getByLabel("CVV").fill(CARD.cvv);
  await checkout.getByRole("button", { name: /^Pay NGN/ }).click();
}

/** A new member with a Battle Pass, paid by card, who has not played today. */
export async function newPassHolder(page: Page): Promise<string> {
  closeCallbackTabs(page);
  const { email } = await newMember(page);
  await enterAs(page, email);
  await page.goto("/subscriptions");
  await page.getByRole("button", { name: "Subscribe" }).last().click();
  await page.getByRole("button", { name: /^Fund ₦.* and subscribe$/ }).click();
  await payByCard(page);
  await expect(page.getByText(/^You are subscribed to /)).toBeVisible();
  return email;
}

/** Wait until an element and what is in it have come to rest, such as a dialog that opens. */
export async function untilStill(element: Locator): Promise<void> {
  await element.evaluate(async (node) => {
    const running = node
      .getAnimations({ subtree: true })
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.all(running.map(({ finished }) => finished));
  });
}
