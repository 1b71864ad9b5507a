import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import { type Fan, newFan, postOne } from "./crowd.ts";
import { test } from "./fixtures.ts";
import { atTheOffice, enterOffice, makeOperator, newOwner } from "./operators.ts";
import {
  complaintsOf,
  enterAs,
  expectNoSidewaysScroll,
  expectNoViolations,
  fillAddress,
  tabTo,
  untilDrawn,
} from "./world.ts";

const PHONE = { width: 390, height: 844 };
const ROWS = 200;
const BAD_ROWS = [12, 80, 161];
const NIGERIA_HOURS = 1;
const STEP_MS = 30_000;

/** Unique to this day: two days run in parallel. */
interface Day {
  /** A word in every reason of the day. */
  word: string;
  office: Page;
  member: Page;
  ada: Fan;
  bisi: Fan;
  cap: Product;
  pin: Product;
}

interface Product {
  id: string;
  name: string;
  price: number;
}

/** Check the open area: it is accessible, and nothing overflows. */
async function check(page: Page): Promise<void> {
  await untilDrawn(page);
  await expectNoViolations(page);
  await expectNoSidewaysScroll(page);
}

/** Open an area of the back office and check it. */
async function open(page: Page, area: string, title: string): Promise<void> {
  await page.goto(`/admin/${area}`);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await check(page);
}

/** Press the button that opens a dialog; returns the dialog. */
async function begin(place: Page | Locator, button: string): Promise<Locator> {
  await place.getByRole("button", { name: button, exact: true }).first().click();
  const page = "page" in place ? place.page() : place;
  return page.getByRole("dialog");
}

/** Press the dialog's submit button, and wait until it closes. */
async function finish(dialog: Locator, button: string): Promise<void> {
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

async function stocked(office: Page, name: string, price: number): Promise<Product> {
  const product = await atTheOffice<Product>(office, "products", { name, price });
  const delivery = { productId: product.id, change: 20, reason: "Delivered" };
  await atTheOffice(office, "stock", delivery);
  return product;
}

/** A question file; the rows in `bad` have no right answer. */
function sheet(word: string, bad: readonly number[]): Buffer {
  const columns =
    "slug,kind,club,topic,question,right,wrong_1,wrong_2,wrong_3,explanation,source,difficulty";
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const number = index + 1;
    const right = bad.includes(number) ? "" : `Player ${number}`;
    return [
      ...[`day-${word}-${number}`, "trivia", "Liverpool", "players"],
      `Who wore ${unlike(`${word} ${number}`)}?`,
      ...[right, `Guest ${number}`, `Rival ${number}`, `Keeper ${number}`],
      ...["It stood on the team sheet.", "The club's records", "1"],
    ].join(",");
  });
  return Buffer.from([columns, ...rows, ""].join("\n"));
}

/** Random letters: the bank warns of similar questions. */
function unlike(seed: string): string {
  return createHash("sha256")
    .update(seed)
    .digest("hex")
    .replaceAll(/.{6}(?!$)/g, "$& ");
}

async function importQuestions({ office, word }: Day): Promise<void> {
  await open(office, "questions", "Questions");
  await office.getByRole("link", { name: "Import CSV" }).click();
  const choose = (bad: readonly number[]) =>
    office
      .getByLabel("CSV file")
      .setInputFiles({ name: "day.csv", mimeType: "text/csv", buffer: sheet(word, bad) });
  await choose(BAD_ROWS);
  await office.getByRole("button", { name: "Dry run" }).click();
  await expect(office.getByRole("button", { name: "Apply" })).toHaveCount(0);
  const saving = office.waitForEvent("download");
  await office.getByRole("button", { name: "Download the bad rows" }).click();
  const saved = readFileSync(await (await saving).path(), "utf8");
  for (const number of BAD_ROWS) {
    expect(saved).toContain(`day-${word}-${number},`);
  }
  expect(saved.match(/day-/g)).toHaveLength(BAD_ROWS.length);
  await check(office);

  await choose([]);
  await office.getByRole("button", { name: "Dry run" }).click();
  await office.getByRole("button", { name: "Apply" }).click();
  await expect(office.getByText(`${ROWS} new`)).toBeVisible();
}

/** The member fills a cart; before they order, its price goes up. */
async function changePriceInCart({ office, member, cap, pin }: Day): Promise<string> {
  await member.goto("/products");
  const shop = member.getByRole("region", { name: "All products" });
  for (const { name } of [cap, pin]) {
    await shop.getByRole("button", { name: `Add to cart: ${name}` }).click();
  }
  await expect(member.getByRole("link", { name: "Cart, 2 items" })).toBeVisible();

  await open(office, "products", "Products");
  await office.getByRole("link", { name: cap.name }).click();
  await office.getByLabel("Price in naira").fill("3500");
  await office.getByRole("button", { name: "Save" }).click();
  await expect(office.getByText("The product has been saved.")).toBeVisible();
  await check(office);

  const second = await member.context().newPage();
  await second.goto("/checkout");
  await fillAddress(second);
  const complete = second.getByRole("button", { name: /Complete Order/ });
  await complete.click();
  await expect(second.getByText(`${cap.name} now costs ₦3,500.00 (was ₦3,000.00).`)).toBeVisible();
  await complete.click();
  const placed = second.getByText(/^Order FC-[A-Z2-9]{6} placed/);
  await expect(placed).toBeVisible();
  const [number = ""] = /FC-[A-Z2-9]{6}/.exec((await placed.textContent()) ?? "") ?? [];
  await second.close();
  return number;
}

async function orderByTransfer(request: APIRequestContext, day: Day): Promise<string> {
  const { ada, pin } = day;
  const billing = { firstName: "Ada", lastName: "Obi", phone: "08031234567", address: "Aba" };
  const carts = [{ id: pin.id, quantity: 2, price: pin.price }];
  const answer = await request.post("/api/v1/products/checkout", {
    data: { carts, billing, paymentMethod: "bank-transfer" },
    headers: { Authorization: `Bearer ${ada.token}` },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()).data.orderNumber;
}

async function confirmTransfer(day: Day, order: string): Promise<void> {
  const { office, word, pin } = day;
  await open(office, "orders", "Orders");
  await office.getByRole("link", { name: order }).click();
  const dialog = await begin(office, "Confirm transfer");
  await dialog.getByLabel("Bank").selectOption({ index: 1 });
  await dialog.getByLabel("Reference").fill(`NIP ${word}`);
  await dialog.getByLabel("Amount in naira").fill(String(2 * pin.price));
  await dialog.getByLabel("Paid on").fill(today());
  await check(office);
  await finish(dialog, "Confirm transfer");
  await expect(office.getByRole("button", { name: "Mark as shipped" })).toBeVisible();
  await check(office);
}

function today(): string {
  return new Date(Date.now() + NIGERIA_HOURS * 3_600_000).toISOString().slice(0, 10);
}

async function refundOneLine(day: Day, order: string): Promise<void> {
  const { office, word, pin } = day;
  await office.goto(`/admin/orders/${order}`);
  const dialog = await begin(office, "Request refund");
  await dialog.getByLabel(pin.name).fill("1");
  await dialog.getByLabel("Reason").fill(`Broken, ${word}`);
  await finish(dialog, "Request refund");

  await open(office, "refunds?state=asked", "Refunds");
  const row = office.getByRole("row", { name: new RegExp(word) });
  const sending = await begin(row, "Send refund");
  await finish(sending, "Send refund");
  await expect(row).toHaveCount(0);
}

async function openMember(office: Page, fan: Fan): Promise<void> {
  await open(office, "members", "Members");
  await office.getByRole("searchbox").or(office.getByLabel(/email/i)).first().fill(fan.email);
  await office.getByRole("button", { name: "Search" }).click();
  await office.getByRole("link", { name: "Ada Obi" }).click();
  await expect(office.getByText(fan.email)).toBeVisible();
}

async function givePlan({ office, ada, word }: Day): Promise<void> {
  await openMember(office, ada);
  await check(office);
  const dialog = await begin(office, "Gift a plan");
  await dialog.getByLabel("Plan", { exact: false }).first().selectOption({ index: 1 });
  await dialog.getByLabel("Periods").fill("1");
  await dialog.getByLabel("Reason").fill(`Prize, ${word}`);
  await finish(dialog, "Gift a plan");
}

async function hideAndMute(request: APIRequestContext, day: Day): Promise<void> {
  const { office, word, ada, bisi } = day;
  const text = `Cheap tickets, ${word}`;
  const { id: messageId } = await postOne(ada, text, new URL(office.url()).origin);
  const asBisi = { Authorization: `Bearer ${bisi.token}` };
  const reported = await request.post("/api/v1/chat-reports", {
    data: { messageId, reason: "spam" },
    headers: asBisi,
  });
  expect(reported.ok(), await reported.text()).toBe(true);

  await open(office, "chat", "Chat");
  const row = office.getByRole("row", { name: new RegExp(text) });
  await row.getByRole("button", { name: "Hide" }).click();
  await expect
    .poll(async () => {
      const said = await request.get(`/api/v1/chat-messages/${bisi.clubName}`, { headers: asBisi });
      return (await said.text()).includes(text);
    })
    .toBe(false);
  await open(office, `members/${ada.id}`, "Member");
  const dialog = await begin(office, "Mute");
  await dialog.getByLabel("Minutes").fill("60");
  await dialog.getByLabel("Reason").fill(`Spam, ${word}`);
  await finish(dialog, "Mute");
}

async function publish({ office, member, word }: Day): Promise<void> {
  const title = `Open day ${word}`;
  await open(office, "news", "News");
  const dialog = await begin(office, "New article");
  await dialog.getByLabel("Title").fill(title);
  await finish(dialog, "Save");
  await office.getByLabel("Text").fill("Gates open at **noon**. <script>alert(1)</script>");
  await office.getByRole("button", { name: "Save" }).click();
  await expect(office.getByText(/saved/i).first()).toBeVisible();
  await check(office);
  await finish(await begin(office, "Publish"), "Publish");
  await expect(office.getByRole("button", { name: "Withdraw" })).toBeVisible();

  await member.goto("/news");
  const headlines = member.getByRole("region", { name: "Today's Headlines" });
  await headlines.getByRole("link", { name: new RegExp(title) }).click();
  await expect(member).toHaveURL(/\/news\/[a-z]/);
  await expect(member.getByRole("heading", { level: 2, name: title })).toBeVisible();
  await expect(member.locator("strong", { hasText: "noon" })).toBeVisible();
  // Restores the screens that other tests use.
  await finish(await begin(office, "Withdraw"), "Withdraw");
  await expect(office.getByRole("button", { name: "Publish" })).toBeVisible();
}

async function suspend({ office, member, ada, word }: Day): Promise<void> {
  await member.goto("/");
  await expect(member.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible();
  await open(office, `members/${ada.id}`, "Member");
  const dialog = await begin(office, "Suspend");
  await dialog.getByLabel("Reason").fill(`Touting, ${word}`);
  await finish(dialog, "Suspend");
  await expect(member).toHaveURL(/\/signin/);
  await expect(office.getByRole("button", { name: "Restore" }).first()).toBeVisible();
}

/** Every action of the day with a reason is in the audit log. */
async function readAudit({ office, word }: Day): Promise<void> {
  await open(office, `logs?q=${word}`, "Audit");
  for (const reason of ["Broken", "Prize", "Spam", "Touting"]) {
    const rows = office.getByRole("row", { name: new RegExp(`${reason}, ${word}`) });
    await expect(rows.first()).toBeVisible();
  }
}

/** Above the limit of one operator: the proposer cannot approve it, a second operator does. */
async function handOver(day: Day, second: Page): Promise<void> {
  const { office, ada, word } = day;
  await open(office, `members/${ada.id}`, "Member");
  const dialog = await begin(office, "Adjust wallet");
  await dialog.getByLabel("Amount in naira").fill("15000");
  await dialog.getByLabel("Category").selectOption("goodwill");
  await dialog.getByLabel("Reason").fill(`Sorry, ${word}`);
  await finish(dialog, "Adjust wallet");
  await open(office, "approvals?state=open", "Approvals");
  const mine = office.getByRole("row", { name: new RegExp(`Sorry, ${word}`) });
  await expect(mine.getByText("Another operator has to approve this")).toBeVisible();
  await expect(mine.getByRole("button", { name: "Approve" })).toHaveCount(0);

  await open(second, "approvals?state=open", "Approvals");
  const theirs = second.getByRole("row", { name: new RegExp(`Sorry, ${word}`) });
  const deciding = await begin(theirs, "Approve");
  await expect(deciding).toContainText("₦15,000.00");
  await deciding.getByLabel("Reason").fill(`Right, ${word}`);
  await check(second);
  await finish(deciding, "Approve");
  await expect(theirs).toHaveCount(0);
  await open(second, `members/${ada.id}`, "Member");
  await expect(second.getByText("₦15,000.00").first()).toBeVisible();
}

/** Stock by keyboard only: found, opened, counted, and back. */
async function byKeysAlone({ office, pin, word }: Day): Promise<void> {
  await open(office, "products", "Products");
  await office.locator("h1").focus();
  await tabTo(office, "textbox", "Name begins with");
  await office.keyboard.type(pin.name);
  await office.keyboard.press("Enter");
  await expect(office.getByRole("row")).toHaveCount(2);
  await tabTo(office, "link", pin.name);
  await office.keyboard.press("Enter");
  await expect(office.getByRole("heading", { level: 1, name: "Product" })).toBeVisible();
  await tabTo(office, "button", "Stock");
  await office.keyboard.press("Enter");
  const dialog = office.getByRole("dialog", { name: `Stock of ${pin.name}` });
  await expect(dialog).toContainText("20 on the shelf: 0 units allocated to orders, 20 available.");
  await office.keyboard.type("5");
  await office.keyboard.press("Tab");
  await office.keyboard.type(`Counted, ${word}`);
  await tabTo(office, "button", "Close");
  await office.keyboard.press("Tab");
  await office.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(office.getByRole("cell", { name: "25" }).first()).toBeVisible();
  await expect(office.getByRole("button", { name: "Stock" })).toBeFocused();
}

test("a day at the back office", async ({ page: office, browser, request }) => {
  const isPhone = test.info().project.name === "phone";
  const viewport = isPhone ? PHONE : (office.viewportSize() ?? PHONE);
  await office.setViewportSize(viewport);
  const context = await browser.newContext({ viewport: PHONE });
  const elsewhere = await browser.newContext({ viewport });
  const member = await context.newPage();
  const second = await elsewhere.newPage();
  for (const page of [office, member, second]) {
    page.setDefaultTimeout(STEP_MS);
  }
  const complaints = complaintsOf(office);
  const [ada, bisi] = [await newFan(request), await newFan(request)];
  await enterAs(member, ada.email);
  const word = `day${ada.id.slice(-6)}`;

  await test.step("an operator signs in", async () => {
    await enterOffice(office, await newOwner(request));
    await check(office);
  });
  const day: Day = {
    ...{ word, office, member, ada, bisi },
    cap: await stocked(office, `Cap ${word}`, 3000),
    pin: await stocked(office, `Pin ${word}`, 500),
  };
  const present = { amount: 10_000, category: "test", reason: "For the day" };
  await atTheOffice(office, `members/${ada.id}/adjustments`, present);

  await test.step("counts a delivery by keys alone", () => byKeysAlone(day));
  const bought = await test.step("changes a price while it lies in a cart", () =>
    changePriceInCart(day));
  await test.step("confirms a bank transfer", async () =>
    confirmTransfer(day, await orderByTransfer(request, day)));
  await test.step("refunds one line of an order", () => refundOneLine(day, bought));
  await test.step("imports questions, after three of them are mended", () => importQuestions(day));
  await test.step("gives a plan", () => givePlan(day));
  await test.step("hides a message and mutes its author", () => hideAndMute(request, day));
  await test.step("publishes an article, which a phone shows", () => publish(day));
  await test.step("suspends a member, whose phone is signed out", () => suspend(day));
  await test.step("reads the audit of all of it", () => readAudit(day));
  await test.step("hands over to a second operator", async () => {
    await enterOffice(second, await makeOperator(bisi.email, "finance"));
    await handOver(day, second);
  });
  expect(complaints).toEqual([]);
  await Promise.all([context.close(), elsewhere.close()]);
});
