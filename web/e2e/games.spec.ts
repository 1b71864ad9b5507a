import { readdirSync, readFileSync } from "node:fs";
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { questionTimer } from "./operators.ts";
import { bankTexts, rightAnswer } from "./question-bank.ts";
import {
  complaintsOf,
  enterAs,
  expectNoSidewaysScroll,
  expectNoViolations,
  newPassHolder,
  picture,
  tabTo,
} from "./world.ts";

/** Questions wait for the slowest machine; only the last one is about its time. */
const PATIENT_SECONDS = 300;
const USUAL_SECONDS = 15;
const SOME_SECONDS_GONE = /^(?:\d{1,2}|[12]\d\d) seconds left$/;
/** A late timer is corrected once, and the displayed number is rounded up. */
const CLOCKS_DIFFER_MS = 2000;

/** The displayed question, once it has this number. */
async function questionOf(page: Page, number: number): Promise<string> {
  await expect(page.getByText(`Question ${number} of 5`)).toBeVisible();
  await expect(page.getByRole("timer")).toBeInViewport();
  return (await page.locator(".question-card h2").textContent()) ?? "";
}

/** The right option of the running question, or the first wrong one. */
async function optionOf(page: Page, number: number, isRight: boolean) {
  const right = rightAnswer(await questionOf(page, number));
  const texts = await page.locator(".option-text").allTextContents();
  const place = texts.findIndex((text) => (text === right) === isRight);
  return { place, button: page.locator(".option").nth(place) };
}

async function proceed(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("button", { name: "Continue" }).click();
}

async function inBothThemes(page: Page, check: () => Promise<void>): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await check();
  }
}

async function buyBattlePass(page: Page): Promise<void> {
  await page.goto("/battle-zone");
  await expect(page.getByRole("heading", { name: "Battle Zone Upgrade" })).toBeVisible();
  await picture(page, "20-upgrade");
  await page.getByRole("link", { name: "Battle Pass for ₦1,500" }).click();
  const details = page.getByRole("dialog", { name: "Subscription Details" });
  await expect(details.getByText("₦25,000.00")).toBeVisible();
  await inBothThemes(page, () => expectNoViolations(page));
  await picture(page, "21-subscription-details");
  await details.getByRole("button", { name: "Subscribe" }).click();
  const card = page.getByRole("article", { name: "Battle Pass" });
  await expect(card.getByRole("button", { name: "Subscribed" })).toBeDisabled();
  await expectNoSidewaysScroll(page);
}

/** A right answer by touch. */
async function firstQuestion(page: Page): Promise<void> {
  const { button } = await optionOf(page, 1, true);
  await picture(page, "23-question");
  await expectNoSidewaysScroll(page);
  await button.click();
  await expect(page.getByRole("dialog", { name: "Good Job!" })).toContainText("+10");
  await inBothThemes(page, () => expectNoViolations(page));
  await picture(page, "24-good-job");
  await proceed(page);
}

/** The whole turn by keyboard: 1-4 answers, Enter continues. */
async function secondQuestion(page: Page): Promise<void> {
  const { place } = await optionOf(page, 2, true);
  await page.keyboard.press(String(place + 1));
  await expect(page.getByRole("dialog", { name: "Good Job!" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Continue" }).last()).toBeFocused();
  await page.keyboard.press("Enter");
}

/** A reload in the middle: the same question, with the remaining time; then the promotion. */
async function thirdQuestion(page: Page): Promise<void> {
  const before = await questionOf(page, 3);
  const shownAt = Date.now();
  await expect(page.getByRole("timer")).toHaveAccessibleName(SOME_SECONDS_GONE);
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  expect(await questionOf(page, 3)).toBe(before);
  const leftSeconds = Number.parseInt((await page.getByRole("timer").textContent()) ?? "", 10);
  const goneMs = Date.now() - shownAt;
  expect(leftSeconds * 1000).toBeLessThanOrEqual(
    PATIENT_SECONDS * 1000 + CLOCKS_DIFFER_MS - goneMs,
  );
  await picture(page, "25-after-reload");
  const { button } = await optionOf(page, 3, true);
  await button.click();
  await expect(page.getByText("You are now Super Fan")).toBeVisible();
  await proceed(page);
  const promotion = page.getByRole("dialog", { name: "You are now Super Fan" });
  await expect(promotion.getByText("You are here")).toBeVisible();
  await inBothThemes(page, () => expectNoViolations(page));
  await picture(page, "26-promotion");
  await proceed(page);
}

/** A network loss: an answer pressed meanwhile counts if the network returns in time. */
async function fourthQuestion(page: Page, context: BrowserContext): Promise<void> {
  const { button } = await optionOf(page, 4, true);
  await context.setOffline(true);
  await expect(page.getByText(/^Connecting\.\.\./)).toBeVisible();
  await button.click();
  await expect(page.getByText(/It will be sent as soon as you reconnect/)).toBeVisible();
  await picture(page, "27-offline");
  await context.setOffline(false);
  await expect(page.getByRole("dialog", { name: "Good Job!" })).toBeVisible();
}

/** Whether the page shows this text at any time from now on, even while this test is busy. */
function shownOnce(page: Page, text: string): Promise<boolean> {
  return page.evaluate(
    (wanted) =>
      new Promise<boolean>((resolve) => {
        const watch = new MutationObserver(() => {
          if (document.body.textContent.includes(wanted)) {
            watch.disconnect();
            resolve(true);
          }
        });
        watch.observe(document.body, { childList: true, characterData: true, subtree: true });
      }),
    text,
  );
}

/** No answer, on a slow machine: urgency grows, the time runs out, the right answer is shown. */
async function fifthQuestion(page: Page): Promise<void> {
  const right = rightAnswer(await questionOf(page, 5));
  const warnings = ["Hurry!", "Last call!", "Time's up!"].map((text) => shownOnce(page, text));
  for (const [step, name] of ["28-hurry", "29-last-call"].entries()) {
    await warnings[step];
    await picture(page, name);
  }
  await inBothThemes(page, () => expectNoViolations(page));
  expect(await Promise.all(warnings)).toEqual([true, true, true]);
  const modal = page.getByRole("dialog", { name: "Wrong Move!" });
  await expect(modal).toContainText(right);
  await inBothThemes(page, () => expectNoViolations(page));
  await picture(page, "30-wrong-move");
  await proceed(page);
}

// Runs once: a member has five questions a day, and Ada is promoted only once.
test("buy a Battle Pass, play five questions through reload, loss and time-out, and rise @once", async ({
  page,
  context,
}) => {
  const complaints = complaintsOf(page);
  const setQuestionTime = await questionTimer(page.request);
  await setQuestionTime(PATIENT_SECONDS);
  await enterAs(page, "ada@example.com");
  await buyBattlePass(page);

  await page.goto("/battle-zone");
  await expect(page.getByRole("heading", { name: "KING of fans!" })).toBeVisible();
  await picture(page, "22-landing");
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Enter Battle Ground" }).click();
  await firstQuestion(page);
  await secondQuestion(page);
  await thirdQuestion(page);
  await fourthQuestion(page, context);
  await setQuestionTime(USUAL_SECONDS);
  await proceed(page);
  await fifthQuestion(page);

  const end = page.getByRole("region", { name: "Full time!" });
  await expect(end).toContainText("40");
  await inBothThemes(page, () => expectNoViolations(page));
  await picture(page, "31-full-time");
  await expectNoSidewaysScroll(page);
  await page.getByRole("button", { name: "Back to the ladder" }).click();
  await expect(page.locator('[aria-current="step"]')).toContainText("Super Fan");
  await expect(
    page.getByRole("heading", { name: "You have played today's questions" }),
  ).toBeVisible();
  await picture(page, "32-played-today");

  await page.goto("/points");
  await expect(page.getByText(/^Right answer: /)).not.toHaveCount(0);
  await picture(page, "33-points");
  await page.goto("/");
  await expect(page.getByText("Super Fan", { exact: true })).toBeVisible();
  await expect(page.getByText("60 of 120 battle points to King of Fans")).toBeVisible();
  await picture(page, "34-dashboard");
  expect(complaints.filter((text) => !/ERR_INTERNET_DISCONNECTED|WebSocket/.test(text))).toEqual(
    [],
  );
});

test("a second device takes the seat, and the first can take it back @once", async ({
  page,
  browser,
}) => {
  const email = await newPassHolder(page);
  await page.goto("/battle-zone");
  await page.getByRole("button", { name: "Enter Battle Ground" }).click();
  await expect(page.getByRole("table")).toBeVisible();
  const other = await browser.newPage({ baseURL: new URL(page.url()).origin });
  await enterAs(other, email);
  await other.goto("/battle-zone");
  await other.getByRole("button", { name: "Enter Battle Ground" }).click();

  await expect(page.getByText("You opened Battle Zone on another device")).toBeVisible();
  await picture(page, "35-taken-over");
  await page.getByRole("button", { name: "Play here instead" }).click();
  await expect(other.getByText("You opened Battle Zone on another device")).toBeVisible();
  await other.close();
});

/** Choose the right or a wrong option of the displayed slide with a number key. */
async function chooseByKey(page: Page, isRight: boolean): Promise<void> {
  const right = rightAnswer((await page.locator(".trivia-slide h2").textContent()) ?? "");
  const texts = await page.locator(".option-text").allTextContents();
  const place = texts.findIndex((text) => (text === right) === isRight);
  await page.keyboard.press(String(place + 1));
  await expect(page.getByRole("radio").nth(place)).toBeChecked();
}

test("the daily quest is played by keys alone, kept through a reload, and reviewed @once", async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await enterAs(page, "bello@example.com");
  await page.goto("/trivia-questions");
  await expect(page.getByText("1 of 5")).toBeVisible();
  await inBothThemes(page, () => expectNoViolations(page));
  await picture(page, "40-quest");
  await expectNoSidewaysScroll(page);

  await chooseByKey(page, true);
  await tabTo(page, "button", "Next");
  await page.keyboard.press("Enter");
  await expect(page.getByText("2 of 5")).toBeVisible();
  await chooseByKey(page, false);
  await page.reload();
  await expect(page.getByText("2 of 5")).toBeVisible();
  await expect(page.locator(".option.is-chosen")).toHaveCount(1);
  for (const number of [3, 4, 5]) {
    await tabTo(page, "button", "Next");
    await page.keyboard.press("Enter");
    await expect(page.getByText(`${number} of 5`)).toBeVisible();
    if (number !== 4) {
      await chooseByKey(page, true);
    }
  }
  await tabTo(page, "button", "Submit");
  await page.keyboard.press("Enter");
  const modal = page.getByRole("dialog");
  await expect(modal).toContainText("Are you sure you want to submit your answers now?");
  await expect(modal).toContainText("1 question is unanswered");
  await inBothThemes(page, () => expectNoViolations(page));
  await picture(page, "41-confirm");
  await tabTo(page, "button", "Go to question 4");
  await page.keyboard.press("Enter");
  await chooseByKey(page, true);
  await tabTo(page, "button", "Next");
  await page.keyboard.press("Enter");
  await tabTo(page, "button", "Submit");
  await page.keyboard.press("Enter");
  await expect(modal).toBeVisible();
  await modal.getByRole("button", { name: "Submit" }).press("Enter");

  await expect(
    page.getByRole("heading", {
      name: "Congratulations! You have attempted today daily quest question.",
    }),
  ).toBeVisible();
  await expect(page.getByText("4 of 5 answered correctly")).toBeVisible();
  await expect(page.getByText("20", { exact: true }).first()).toBeVisible();
  await inBothThemes(page, () => expectNoViolations(page));
  await picture(page, "42-congratulations");
  await expectNoSidewaysScroll(page);
  await page.reload();
  await expect(page.getByRole("heading", { name: /check back tomorrow/ })).toBeVisible();
  await expect(page.getByRole("region", { name: "The right answers" })).toBeVisible();
  await page.goto("/");
  await expect(page.getByText("Done: 4 of 5 right")).toBeVisible();
  expect(complaints).toEqual([]);
});

test("the leader board shows club and all clubs, by every period, with the own row", async ({
  page,
}) => {
  await enterAs(page, "bello@example.com");
  await page.goto("/");
  await page.getByRole("link", { name: "View all" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Leader board" })).toBeVisible();
  const table = page.getByRole("table");
  await expect(table).toContainText("Musa Bello");
  await page.getByText("All clubs").click();
  await expect(page).toHaveURL(/scope=all/);
  await expect(table).toContainText("Enyimba");
  for (const period of ["Today", "Week", "Month", "Season"]) {
    await page.getByText(period, { exact: true }).click();
    await expect(page.locator(".is-stale")).toHaveCount(0);
    await expectNoSidewaysScroll(page);
  }
  await expect(table.locator(".is-me")).toHaveCount(1);
  await inBothThemes(page, () => expectNoViolations(page));
  await picture(page, "50-leader-board");
});

test("no question and no answer is in what browsers load @once", () => {
  const files = readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(js|html|css|json|webmanifest)$/.test(name),
  );
  const loaded = files.map((name) => readFileSync(`dist/${name}`, "utf8")).join("\n");
  expect(files.length).toBeGreaterThan(10);
  expect(bankTexts().length).toBeGreaterThan(600);
  expect(bankTexts().filter((text) => loaded.includes(text))).toEqual([]);
});
