import { expect, type Page } from "@playwright/test";
import { test } from "./fixtures.ts";
import {
  enterAs,
  expectNoSidewaysScroll,
  expectNoViolations,
  fillSignUp,
  mailedCode,
  newPerson,
  PASSWORD,
} from "./world.ts";

interface Home {
  club: { id: string; name: string };
  next: { id: string };
  news: { slug: string }[];
  products: { id: string }[];
  question: { id: string };
}

async function publicHome(page: Page): Promise<Home> {
  return (await (await page.request.get("/api/v1/public/home")).json()).data;
}

/** The paths of a public page of each kind. */
async function publicPaths(page: Page): Promise<string[]> {
  const { club, next, news, products } = await publicHome(page);
  return [
    "/welcome",
    `/m/${next.id}`,
    `/n/${news[0]?.slug}`,
    `/s/${products[0]?.id}`,
    `/c/${club.id}`,
    "/m/unknown",
  ];
}

test("a visitor answers a question, joins, and has the first five points", async ({ page }) => {
  const { club, question } = await publicHome(page);
  const asked = `/api/v1/public/question/${question.id}/answer`;
  const { rightAnswer } = (await (await page.request.post(asked, { data: { answer: "A" } })).json())
    .data;
  await page.goto("/welcome");
  const join = page.getByRole("link", { name: `Join ${club.name}` });
  await expect(join.first()).toBeInViewport();
  await expect(
    page.getByRole("main").getByRole("link", { name: "Sign in" }).first(),
  ).toBeInViewport();

  await page.locator(`[data-option="${rightAnswer}"]`).click();
  await expect(page.getByRole("status")).toContainText("Right! +5 points.");
  await page.reload();
  await expect(page.getByRole("status")).toContainText("Right! +5 points.");
  await page
    .locator(".question-keep")
    .getByRole("link", { name: `Join ${club.name}` })
    .click();

  await expect(page.getByRole("button", { name: `Change ${club.name}` })).toBeVisible();
  const person = newPerson(test.info().project.name);
  await fillSignUp(page, person, null);
  await page.getByRole("button", { name: "Sign Up" }).click();
  await page.getByPlaceholder("Enter 6 code here").fill(await mailedCode(person.email));
  await expect(page.getByText("Your 5 points are in.")).toBeVisible();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page.getByText("Welcome, Ada")).toBeVisible();
  await page.goto("/points");
  await expect(page.getByText("Your first right answer, before you joined")).toBeVisible();
});

test("a wrong answer shows the right one and promises nothing @once", async ({ page }) => {
  const { question } = await publicHome(page);
  const asked = `/api/v1/public/question/${question.id}/answer`;
  const { rightAnswer } = (await (await page.request.post(asked, { data: { answer: "A" } })).json())
    .data;
  const wrong = rightAnswer === "A" ? "B" : "A";
  await page.goto("/welcome");
  await page.context().setOffline(true);
  await page.locator(`[data-option="${wrong}"]`).click();
  await expect(page.getByRole("status")).toContainText("did not reach us");
  await page.context().setOffline(false);

  await page.locator(`[data-option="${wrong}"]`).click();
  await expect(page.getByRole("status")).toContainText("Not this time.");
  await expect(page.locator(`[data-option="${rightAnswer}"]`)).toHaveClass(/is-right/);
  await expect(page.locator(".question-keep")).toBeHidden();
});

test("the last visited club is the one of the next visit @once", async ({ page }) => {
  const clubs = (await (await page.request.get("/api/v1/clubs")).json()).data;
  const { club } = await publicHome(page);
  const other = clubs.find(({ id }: { id: string }) => id !== club.id);
  await page.goto(`/c/${other.id}`);
  await page.goto("/welcome");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(other.name);
  await page.goto(`/welcome?club=${club.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(club.name);
});

test("members who open a shared link get the screen of the app @once", async ({ page }) => {
  const [, match, article, product] = await publicPaths(page);
  await enterAs(page, "ada@example.com");
  for (const [link, screen] of [
    [match, match?.replace("/m/", "/match/")],
    [article, article?.replace("/n/", "/news/")],
    [product, product?.replace("/s/", "/product/")],
    ["/welcome", "/"],
  ] as const) {
    await page.goto(link ?? "");
    await expect(page).toHaveURL(new RegExp(`${screen}$`));
  }
});

for (const theme of ["light", "dark"] as const) {
  test(`public pages can be read by everyone, in ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    for (const path of await publicPaths(page)) {
      await page.goto(path);
      await expectNoViolations(page);
      await expectNoSidewaysScroll(page);
    }
  });
}

test("the page of every club can be read in its colours @once", async ({ page }) => {
  const clubs: { id: string; colours: string[] }[] = (
    await (await page.request.get("/api/v1/clubs")).json()
  ).data;
  for (const { id, colours } of clubs) {
    await page.goto(`/c/${id}`);
    const ground = await page.evaluate(() =>
      document.documentElement.style.getPropertyValue("--ground"),
    );
    expect(ground).toBe(colours[0]);
    await expectNoViolations(page);
  }
});

test("a wide screen has what belongs together side by side @once", async ({ page }) => {
  await page.setViewportSize({ width: 1366, height: 768 });
  const [welcome, match, article, product, club] = await publicPaths(page);
  const at = async (selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    expect(box, selector).not.toBeNull();
    return { x: 0, y: 0, width: 0, height: 0, ...box };
  };

  await page.goto(welcome ?? "");
  expect((await at(".hero-match")).x).toBeGreaterThan((await at(".hero-text")).x + 300);
  expect((await at("[data-option=A]")).y).toBe((await at("[data-option=B]")).y);
  expect((await at(".question")).y).toBe((await at(".card.rail")).y);
  await page.goto(product ?? "");
  const picture = await at(".product-large");
  expect((await at("main .button-accent")).x).toBeGreaterThan(picture.x + picture.width);
  for (const path of [match, article]) {
    await page.goto(path ?? "");
    const first = await at(".columns > :first-child");
    expect((await at(".rail")).x).toBeGreaterThan(first.x + first.width);
  }
  await page.goto(club ?? "");
  expect((await at("#coming-title")).y).toBe((await at("#table-title")).y);
  for (const path of [article, product]) {
    await page.goto(path ?? "");
    const header = await at(".top");
    expect((await at("main .card")).y).toBeGreaterThan(header.y + header.height);
  }
});

for (const width of [360, 1366]) {
  test(`public pages keep still while they load, ${width} pixels wide @once`, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 });
    await page.addInitScript(() => {
      const shifts = { sum: 0 };
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          shifts.sum += (entry as unknown as { value: number }).value;
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    for (const path of await publicPaths(page)) {
      await page.goto(path, { waitUntil: "networkidle" });
      const sum = await page.evaluate(
        () => (window as unknown as { shifts: { sum: number } }).shifts.sum,
      );
      expect(sum, path).toBeLessThanOrEqual(0.05);
    }
  });
}

test("at twice the text size nothing of a public page is cut off @once", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of await publicPaths(page)) {
    await page.goto(path);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "200%";
    });
    await expectNoSidewaysScroll(page);
  }
});

test("without scripts a public page says the same @once", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL ?? "" });
  const page = await context.newPage();
  for (const path of await publicPaths(page)) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("link", { name: "Sign in" }).first()).toBeVisible();
  }
  await context.close();
});

test("the way in leads to what is on, and unknown addresses say so @once", async ({ page }) => {
  for (const path of ["/signin", "/signup"]) {
    await page.goto(path);
    await page.getByRole("link", { name: "See what's on" }).click();
    await expect(page).toHaveURL(/\/welcome$/);
  }
  const answer = await page.goto("/nowhere");
  expect(answer?.status()).toBe(404);
  await expect(page.getByText("URL not found!")).toBeVisible();
});
