import { type BrowserContext, expect, type Page } from "@playwright/test";
import { fillPublic, newFan } from "./crowd.ts";
import { test } from "./fixtures.ts";
import {
  complaintsOf,
  enterAs,
  expectNoSidewaysScroll,
  expectNoViolations,
  picture,
  tabTo,
} from "./world.ts";

/** Runs on the page's clock, so it takes no real time. */
const TUNNEL_MS = 6000;

const field = (page: Page) => page.getByPlaceholder("Type a message...");
const tab = (page: Page, name: RegExp) => page.getByRole("tab", { name });
const list = (page: Page) => page.getByRole("log");

async function openChats(page: Page, email: string): Promise<Page> {
  await enterAs(page, email);
  await page.goto("/chats");
  await expect(page.getByText("Communicate with your club and also with others")).toBeVisible();
  await expect(tab(page, /\d online/).first()).toBeVisible();
  return page;
}

async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.getByRole("button", { name: "Send" }).click();
}

async function sent(page: Page, text: string): Promise<void> {
  const row = list(page).locator(".chat-message", { hasText: text });
  await expect(row.getByRole("img", { name: "Sent" })).toBeVisible();
}

/** The list is scrolled to its end. */
async function expectAtTheEnd(page: Page): Promise<void> {
  await expect
    .poll(() =>
      list(page).evaluate(({ scrollHeight, scrollTop, clientHeight }) =>
        Math.round(scrollHeight - scrollTop - clientHeight),
      ),
    )
    .toBeLessThanOrEqual(1);
}

async function inBothThemes(page: Page, check: (theme: string) => Promise<void>): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await check(colorScheme);
  }
}

/** Only the list scrolls, and the field stands above the bottom bar. */
async function expectFilledScreen(page: Page): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(excess).toBeLessThanOrEqual(0);
  await expect(field(page)).toBeInViewport({ ratio: 1 });
  const foot = (await field(page).boundingBox()) ?? { y: 0, height: 0 };
  const bar = await page.getByRole("navigation", { name: "Shortcuts" }).boundingBox();
  expect(foot.y + foot.height).toBeLessThanOrEqual(bar?.y ?? 740);
}

async function talkInTheClub(ada: Page, device: Page, bello: Page): Promise<void> {
  await expect(tab(ada, /Enyimba 1 online/)).toBeVisible();
  await expect(tab(ada, /Public \d+ online/)).toBeVisible();
  await expect(bello.getByText("No club chats at the moment.")).toBeVisible();
  await send(ada, "Only for Enyimba");
  await sent(ada, "Only for Enyimba");
  await expect(list(device).getByText("Only for Enyimba")).toHaveCount(1);
}

async function talkInPublic(ada: Page, device: Page, bello: Page): Promise<void> {
  await tab(ada, /Public/).click();
  await send(ada, "Good evening from Aba. Line-ups: https://example.com/line-ups");
  await sent(ada, "Good evening from Aba");
  await expect(tab(bello, /Public \d+ online 1 unread/)).toBeVisible();
  await expect(bello.getByRole("link", { name: "Chats, 1 unread" })).toBeVisible();
  await tab(bello, /Public/).click();
  await expect(list(bello).getByText("Good evening from Aba")).toHaveCount(1);
  await expect(bello.getByRole("link", { name: "Chats", exact: true })).toBeVisible();
  await tab(device, /Public/).click();
  await expect(list(device).getByText("Good evening from Aba")).toHaveCount(1);
  await send(bello, "We are watching in Kano too. The generator is on already");
  await expect(list(ada).getByText("The generator is on already")).toHaveCount(1);
  await expect(list(device).getByText("The generator is on already")).toHaveCount(1);
}

async function throughTheTunnel(ada: Page, context: BrowserContext, bello: Page): Promise<void> {
  await context.setOffline(true);
  await expect(
    ada.getByText("You are offline. Messages will be sent when you are back online."),
  ).toBeVisible();
  await send(ada, "First from the tunnel");
  await send(ada, "Second from the tunnel");
  await send(bello, "You missed this");
  await sent(bello, "You missed this");
  await expect(list(ada).getByText("Waiting for the network")).toHaveCount(2);
  await picture(ada, "52-chat-tunnel");
  await ada.clock.runFor(TUNNEL_MS);
  await expect(list(ada).getByText("You missed this")).toHaveCount(0);
  await context.setOffline(false);
  await sent(ada, "First from the tunnel");
  await sent(ada, "Second from the tunnel");
  await expect(list(ada).getByText("You missed this")).toHaveCount(1);
  for (const page of [ada, bello]) {
    const texts = await list(page).locator(".chat-text").allTextContents();
    const shown = texts.flatMap(
      (text) => /^(?:You:)?(First|Second|You missed)/.exec(text)?.[1] ?? [],
    );
    expect(shown).toEqual(["You missed", "First", "Second"]);
  }
  await expectAtTheEnd(ada);
  await picture(ada, "53-chat-after-the-tunnel");
}

/** The whole screen by keyboard: a message is written, and another one reported. */
async function byKeysAlone(page: Page): Promise<void> {
  await page.locator("h1").focus();
  await tabTo(page, "textbox", "Message to Public");
  await page.keyboard.type("By keys");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("alone");
  await page.keyboard.press("Enter");
  await sent(page, "By keys");
  await expect(field(page)).toHaveValue("");
  const report = page.getByRole("button", { name: "Options for Musa Bello's message" }).last();
  await report.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Report" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Report this message" })).toBeVisible();
  await inBothThemes(page, () => expectNoViolations(page));
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "Insults or threats" })).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Thank you. Our moderators will look at it.")).toBeVisible();
  await expect(report).toBeFocused();
}

test("two clubs and a second device talk, through a tunnel, by touch and by keys @once", async ({
  page: ada,
  context,
  browser,
}) => {
  const complaints = complaintsOf(ada);
  await ada.clock.install();
  await openChats(ada, "ada@example.com");
  const baseURL = new URL(ada.url()).origin;
  const second = await browser.newContext({ baseURL, viewport: { width: 1366, height: 768 } });
  const device = await openChats(await second.newPage(), "ada@example.com");
  const other = await browser.newContext({ baseURL, viewport: { width: 360, height: 740 } });
  const bello = await openChats(await other.newPage(), "bello@example.com");

  await talkInTheClub(ada, device, bello);
  await expect(list(bello).or(bello.getByText("No club chats at the moment."))).not.toContainText(
    "Only for Enyimba",
  );
  await talkInPublic(ada, device, bello);
  for (const page of [ada, device]) {
    await expectNoSidewaysScroll(page);
    await inBothThemes(page, async (theme) => {
      await expectNoViolations(page);
      await picture(page, `${page === ada ? "50-chat" : "51-chat-wide"}-${theme}`);
    });
  }
  await expect(device.getByRole("complementary", { name: "Online in Public" })).toContainText(
    "Musa Bello",
  );
  await expectFilledScreen(ada);
  await throughTheTunnel(ada, context, bello);
  await byKeysAlone(device);
  expect(complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|WebSocket/.test(text))).toEqual(
    [],
  );
  await second.close();
  await other.close();
});

test("a long history is read back page by page without jumps, and a pill leads forward @once", async ({
  page,
  request,
}) => {
  const fans = await Promise.all(Array.from({ length: 7 }, () => newFan(request)));
  const base = new URL((await request.get("/healthz")).url()).origin;
  await fillPublic(fans.slice(0, 6), 10, base);
  await openChats(page, fans[0]?.email ?? "");
  await tab(page, /Public/).click();
  await expect(
    list(page)
      .getByText(/chant 10/)
      .first(),
  ).toBeVisible();
  await expectAtTheEnd(page);

  const first = page.getByText("Beginning of the chat");
  await expect(first).toHaveCount(0);
  await list(page).focus();
  await expect(async () => {
    await page.keyboard.press("PageUp");
    await expect(first).toBeInViewport({ timeout: 100 });
  }).toPass({ intervals: [50] });
  // The browser animates the scroll of a key: nothing moves any more once the top is reached.
  await page.keyboard.press("Home");
  await expect.poll(() => list(page).evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  expect(await list(page).locator(".chat-row").count()).toBeLessThan(40);
  await picture(page, "54-chat-beginning");

  const read = list(page).locator(".chat-row").nth(3);
  const before = await read.boundingBox();
  await fillPublic(fans.slice(6), 2, base);
  const pill = page.getByRole("button", { name: "2 new messages" });
  await expect(pill).toBeVisible();
  expect(await read.boundingBox()).toEqual(before);
  await inBothThemes(page, () => expectNoViolations(page));
  await picture(page, "55-chat-pill");
  await pill.click();
  await expect(pill).toHaveCount(0);
  await expectAtTheEnd(page);
  await expect(page.getByText("New messages")).toBeVisible();
});

test("in a lively room what was not sent is counted, and loads when it is pressed @once", async ({
  page,
  request,
}) => {
  const fans = await Promise.all(Array.from({ length: 5 }, () => newFan(request)));
  const base = new URL((await request.get("/healthz")).url()).origin;
  await openChats(page, fans[0]?.email ?? "");
  await tab(page, /Public/).click();
  await send(page, "Kick-off");
  await sent(page, "Kick-off");

  await fillPublic(fans.slice(1), 5, base);

  const count = page.getByRole("button", { name: /^\+ \d+ new messages?$/ });
  await expect(count).toBeInViewport();
  await expectAtTheEnd(page);
  await inBothThemes(page, () => expectNoViolations(page));
  await picture(page, "57-chat-skipped");
  await count.press("Enter");
  await expect(count).toHaveCount(0);
  await expect(page.locator(".chat-message:focus")).toContainText("chant");
});

test("what is pressed in a tunnel is not done behind it, and a begun answer outlives a reload @once", async ({
  page,
  context,
  request,
}) => {
  const fan = await newFan(request);
  await page.clock.install();
  await openChats(page, fan.email);
  await tab(page, /Public/).click();
  await send(page, "Nobody takes this back");
  await sent(page, "Nobody takes this back");
  const row = list(page).locator(".chat-message", { hasText: "Nobody takes this back" });
  const menu = row.getByRole("button", { name: "Options for your message" });
  await menu.click();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Delete for all" }).click();
  const question = page.getByRole("dialog", { name: "Delete this message for everybody?" });
  await expect(question.getByRole("button", { name: "Keep it" })).toBeFocused();
  await inBothThemes(page, () => expectNoViolations(page));
  await picture(page, "56-chat-delete");
  await question.getByRole("button", { name: "Delete for all" }).click();
  await expect(page.getByText("You are offline. Try again when you are connected.")).toBeVisible();
  await page.clock.runFor(TUNNEL_MS);
  await context.setOffline(false);
  await send(page, "Behind the tunnel");
  await sent(page, "Behind the tunnel");
  await menu.click();
  await page.getByRole("button", { name: "Reply" }).click();
  await field(page).fill("Really");
  await page.reload();
  await tab(page, /Public/).click();
  await expect(row.first()).toBeVisible();
  await expect(page.locator(".composer-quote")).toContainText("Nobody takes this back");
  await field(page).press("Enter");
  const answer = list(page).locator(".chat-message", { hasText: "Really" });
  await expect(answer.getByRole("img", { name: "Sent" })).toBeVisible();
  await expect(answer.getByRole("button", { name: /Nobody takes this back/ })).toBeVisible();

  await list(page).getByRole("button", { name: "Options for your message" }).last().click();
  await page.getByRole("button", { name: "Delete for all" }).click();
  await question.getByRole("button", { name: "Delete for all" }).click();
  await expect(answer).toHaveCount(0);
});
