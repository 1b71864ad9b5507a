import { createHmac } from "node:crypto";
import { type APIRequestContext, type APIResponse, expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import { type MovedProduct, movedProduct } from "./moved-product.ts";
import { fillSignUp, mailedCode, PASSWORD, picture } from "./world.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FEED_KEY = "development-only-fixture-feed-key-0123456";
/** Scheduled jobs run every minute. */
const WORKER_MS = 90_000;

let product: MovedProduct;
let pushes = 0;

test.beforeAll(async () => {
  product = await movedProduct();
});
test.afterAll(() => product.stop());

/** A member who calls the product over HTTP. */
class Caller {
  readonly #request: APIRequestContext;
  readonly user: Record<string, string>;
  readonly token: string;

  private constructor(request: APIRequestContext, user: Record<string, string>, token: string) {
    this.#request = request;
    this.user = user;
    this.token = token;
  }

  static async signIn(request: APIRequestContext, email: string): Promise<Caller> {
    const answer = await request.post(`${product.url}/api/v1/sign-in/username-password`, {
      data: { username: email, password: PASSWORD },
    });
    expect(answer.status()).toBe(200);
    const { data } = await answer.json();
    return new Caller(request, data.user, data.access_token);
  }

  async get(path: string) {
    return this.#data(await this.#request.get(`${product.url}/api/v1/${path}`, this.#headers));
  }

  async post(path: string, data: object) {
    const options = { ...this.#headers, data };
    return this.#data(await this.#request.post(`${product.url}/api/v1/${path}`, options));
  }

  async put(path: string, data: object = {}) {
    const options = { ...this.#headers, data };
    return this.#data(await this.#request.put(`${product.url}/api/v1/${path}`, options));
  }

  /** Play today's quest, with any result. */
  async playQuest(): Promise<void> {
    const { club, id } = this.user;
    const asked = await this.get(`question/daily-trivial-question/${club}/${id}`);
    const choices = asked.map(({ id }: { id: string }) => ({ question: id, answer: "A" }));
    const form = { userId: id, clubId: club, choices: JSON.stringify(choices) };
    await this.post("question/submit-trivia-question", form);
  }

  get #headers() {
    return { headers: { Authorization: `Bearer ${this.token}` } };
  }

  async #data(answer: APIResponse) {
    expect(answer.ok(), `${answer.url()}: ${await answer.text()}`).toBe(true);
    return (await answer.json()).data;
  }
}

/** Play the quest on its screen, with the first option of each question. */
async function playQuestOn(page: Page): Promise<void> {
  await page.goto(`${product.url}/trivia-questions`);
  for (const number of [1, 2, 3, 4, 5]) {
    await expect(page.getByText(`${number} of 5`)).toBeVisible();
    await page.locator(".option").first().click();
    await page.getByRole("button", { name: number < 5 ? "Next" : "Submit" }).click();
  }
  await page.getByRole("dialog").getByRole("button", { name: "Submit" }).click();
  await expect(page.getByText(/^Congratulations!/)).toBeVisible();
}

/** Sign up on the form that an invite opens, activate with the mailed code, and sign in. */
async function joinOn(page: Page, email: string): Promise<void> {
  const person = { firstName: "Tobi", lastName: "Ade", phone: "08055500001", email };
  await fillSignUp(page, person, null);
  await page.getByRole("button", { name: "Sign Up" }).click();
  await page.getByPlaceholder("Enter 6 code here").fill(await mailedCode(email, product.outbox));
  await expect(page.getByRole("heading", { name: "Login" })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByText("Welcome, Tobi")).toBeVisible();
}

/** Open the app as a member. */
async function enter(page: Page, { user, token }: Caller): Promise<void> {
  await page.goto(`${product.url}/robots.txt`);
  await page.evaluate(
    (stored) => localStorage.setItem("user", stored),
    JSON.stringify({ ...user, userToken: token }),
  );
  await page.goto(`${product.url}/`);
}

/** Let the feed report the state of the week's match. */
async function feed(request: APIRequestContext, kickOffMs: number, match: object): Promise<void> {
  const row = {
    ref: "week-1",
    competition: "NPFL",
    season: "Demo Season 2026",
    round: "Cup",
    home: "Enyimba",
    away: "Remo Stars",
    kick_off_at: new Date(kickOffMs).toISOString(),
    venue: "Aba",
    state: "scheduled",
    home_goals: null,
    away_goals: null,
    scored: null,
    ...match,
  };
  const data = JSON.stringify({ rows: [row] });
  const time = Math.floor(product.nowMs() / 1000);
  pushes += 1;
  const signature = createHmac("sha256", FEED_KEY)
    .update(`${time}.${pushes}.${data}`)
    .digest("hex");
  const answer = await request.post(`${product.url}/api/v1/fixtures/feed/push`, {
    data,
    headers: {
      "Content-Type": "application/json",
      "X-Feed-Time": String(time),
      "X-Feed-Sequence": String(pushes),
      "X-Feed-Signature": signature,
    },
  });
  expect(await answer.json()).toMatchObject({ data: { accepted: 1, refused: [] } });
}

test("a supporter's week @once", async ({ browser, page, request }) => {
  test.setTimeout(300_000);
  const noon = Math.ceil(product.nowMs() / DAY_MS) * DAY_MS + 11 * HOUR_MS;
  const kickOffMs = noon + 2 * DAY_MS;
  product.moveTo(noon);
  let ada = await Caller.signIn(request, "ada@example.com");

  await test.step("the first day: a quest, a prediction, a reminder on the phone", async () => {
    await ada.post("dev/days", { active: [1, 2, 3] });
    await feed(request, kickOffMs, {});
    await enter(page, ada);
    await playQuestOn(page);
    await page.goto(`${product.url}/`);
    await expect(page.getByText("4-day streak")).toBeVisible();
    await page.goto(`${product.url}/predictions`);
    const card = page.getByRole("region", {
      name: "Your prediction: Enyimba against Remo Stars",
    });
    await card.first().getByRole("button", { name: "One more: Enyimba" }).click();
    await card.first().getByRole("button", { name: "One more: Enyimba" }).click();
    await card.first().getByRole("button", { name: "One more: Remo Stars" }).click();
    await expect(card.first().getByText("Saved: 2–1")).toBeVisible();
    await picture(page, "90-week-predicted");
  });

  const box = await (await request.post(`${product.url}/sandbox/push/boxes`)).json();
  await ada.post("push/subscriptions", { endpoint: box.endpoint, keys: box.keys });

  await test.step("the second day is missed, and a freeze bridges it", async () => {
    product.moveTo(noon + 2 * DAY_MS - 3 * HOUR_MS);
    await ada.playQuest();
    await page.goto(`${product.url}/badges`);
    await expect(page.getByText(/^Freeze used on /)).toBeVisible();
    await expect(page.getByText("days in a row")).toBeVisible();
    await picture(page, "91-week-freeze");
  });

  await test.step("an hour before the kick-off the phone is told, and a tap leads there", async () => {
    product.moveTo(kickOffMs - HOUR_MS + 60_000);
    let pushed: { title: string; body: string; path: string }[] = [];
    await expect
      .poll(
        async () => {
          const kept = await request.get(`${product.url}/sandbox/push/boxes/${box.box}`);
          pushed = await kept.json();
          return pushed.some(({ path }) => path.startsWith("/match/"));
        },
        { timeout: WORKER_MS },
      )
      .toBe(true);
    const reminder = pushed.find(({ path }) => path.startsWith("/match/"));
    expect(JSON.stringify(reminder)).not.toContain("Ada");
    await page.goto(`${product.url}${reminder?.path}`);
    await expect(page.getByRole("region", { name: "Enyimba against Remo Stars" })).toBeVisible();
  });

  await test.step("the match runs on the screen, ends, and is corrected", async () => {
    product.moveTo(kickOffMs + 60_000);
    await feed(request, kickOffMs, { state: "live", home_goals: 0, away_goals: 0 });
    await expect(
      page.getByText("Not played yet").or(page.getByText("As it stands: +0")),
    ).toBeVisible();
    await feed(request, kickOffMs, { state: "live", home_goals: 1, away_goals: 0 });
    await expect(page.getByText("As it stands: +4")).toBeVisible();
    await picture(page, "92-week-live");
    product.moveTo(kickOffMs + 2 * HOUR_MS);
    await feed(request, kickOffMs, { state: "finished", home_goals: 2, away_goals: 1 });
    await expect.poll(async () => (await ada.get("predictions?state=closed"))[0].points).toBe(10);
    await page.goto(`${product.url}/predictions?show=closed`);
    await expect(page.getByText("Exact: +10 points").first()).toBeVisible();
    await feed(request, kickOffMs, { state: "finished", home_goals: 3, away_goals: 1 });
    await expect.poll(async () => (await ada.get("predictions?state=closed"))[0].points).toBe(4);
    await page.goto(`${product.url}/points`);
    await expect(page.getByText("−6 points").or(page.getByText("-6 points"))).toBeVisible();
  });

  await test.step("a rank is reached, celebrated once, and shown to friends", async () => {
    await ada.post("dev/points", { source: "battle", points: 50 });
    await page.goto(`${product.url}/`);
    const promotion = page.getByRole("dialog", { name: "You are now Super Fan" });
    await expect(promotion).toBeVisible();
    await picture(page, "93-week-promotion");
    await promotion.getByRole("button", { name: "Share" }).click();
    const shared = page.getByRole("dialog", { name: "Share" });
    await expect(shared.getByRole("img")).toBeVisible();
    await shared.getByRole("button", { name: "Close" }).click();
    await promotion.getByRole("button", { name: "Continue" }).click();
    await page.reload();
    await expect(page.getByText("Welcome, Ada Grace")).toBeVisible();
    await expect(promotion).toHaveCount(0);
  });

  await test.step("to the end of the week a quest each day", async () => {
    for (const day of [3, 4, 5, 6]) {
      product.moveTo(noon + day * DAY_MS);
      ada = await Caller.signIn(request, "ada@example.com");
      await ada.playQuest();
    }
    const { me } = await ada.get("today");
    expect(me.streak).toMatchObject({ days: 9, doneToday: true });
  });

  await test.step("a friend comes by the invite, and both win", async () => {
    const invite = await ada.get(`invites/${ada.user["id"]}`);
    const path = new URL(invite.link).pathname;
    const phone = await browser.newContext({
      baseURL: product.url,
      viewport: { width: 360, height: 740 },
    });
    const friend = await phone.newPage();
    await friend.goto(path);
    await expect(friend).toHaveURL(new RegExp(`/signup\\?invite=${invite.code}$`));
    await expect(friend.getByText("Ada Grace invites you to Enyimba")).toBeVisible();
    await picture(friend, "94-week-invited");
    await joinOn(friend, "tobi.week@example.com");
    // Not by a sign-in of `request`: Ada is signed in there, and an invite to the same device
    // earns nothing.
    const stored = await friend.evaluate(() => localStorage.getItem("user") ?? "");
    const { userToken } = JSON.parse(stored);
    const played = await request.post(`${product.url}/api/v1/dev/days`, {
      headers: { Authorization: `Bearer ${userToken}` },
      data: { active: [1, 2] },
    });
    expect(played.status()).toBe(200);
    await playQuestOn(friend);
    expect(await ada.get(`invites/${ada.user["id"]}`)).toMatchObject({ rewarded: 1, pending: 0 });
    await friend.goto("/points");
    await expect(friend.getByText("Joined by an invite").first()).toBeVisible();
    await phone.close();
  });
});
