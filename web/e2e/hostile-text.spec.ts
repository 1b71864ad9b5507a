import { expect, type Page } from "@playwright/test";
import { newFan, postOne } from "./crowd.ts";
import { test } from "./fixtures.ts";
import { atTheOffice, enterOffice, newOwner } from "./operators.ts";
import { enterAs, untilDrawn } from "./world.ts";

const SCRIPTS = [
  "<script>window.ran=1</script>",
  "<img src=x onerror=window.ran=1>",
  "<svg onload=window.ran=1>",
  "<iframe srcdoc='<script>parent.ran=1</script>'>",
  "<a href=javascript:window.ran=1>x</a>",
  "<details open ontoggle=window.ran=1>",
  "<math><mtext><style><img src onerror=window.ran=1></style></mtext></math>",
  "[x](javascript:window.ran=1)",
  "![x](data:text/html,<script>window.ran=1</script>)",
  "<style>@import'javascript:window.ran=1'</style>",
];
const BEFORE = [
  ...["", '">', "'>", "-->", "</textarea>", "</title>", "`", "\\u003c", "]]>", "&lt;"],
  ...["{{", "${", "%3C", "\u2028", "<!--", "</script>", "*", "> ", "    ", "# "],
];
const TEXTS = BEFORE.flatMap((before) => SCRIPTS.map((script) => before + script));

const MEMBER_SCREENS = ["/", "/products", "/news", "/subscriptions", "/chats", "/notifications"];
const OFFICE_SCREENS = [
  ...["products", "plans", "clubs", "news", "questions", "seasons", "fixtures", "members", "chat"],
  ...["approvals", "mails", "jobs", "backups", "operators", "settings", "logs"],
];

/** The nth text, cut to the field's limit. */
const text = (index: number, maxLength = 120) =>
  (TEXTS[index % TEXTS.length] ?? "").slice(0, maxLength);

test("nothing that is typed runs, at the back office or on a member's phone @once", async ({
  browser,
  baseURL,
}) => {
  const office = await (await browser.newContext()).newPage();
  await enterOffice(office, await newOwner(office.request));
  expect(TEXTS).toHaveLength(200);

  const { slugs, takeBack } = await writeEverywhere(office);
  const member = await (await browser.newContext()).newPage();
  await enterAs(member, "ada@example.com");
  await postOne(await newFan(member.request), text(3), baseURL ?? "");

  for (const screen of OFFICE_SCREENS) {
    await expectHarmless(office, `/admin/${screen}`);
  }
  for (const screen of [...MEMBER_SCREENS, ...slugs.map((slug) => `/news/${slug}`)]) {
    await expectHarmless(member, screen);
  }
  await takeBack();
});

interface Written {
  slugs: string[];
  /** Restore the screens for other tests. */
  takeBack: () => Promise<void>;
}

/** Write the texts into operators' content, all of them into articles. */
async function writeEverywhere(office: Page): Promise<Written> {
  const slugs: string[] = [];
  const undone: (() => Promise<unknown>)[] = [];
  for (const half of [0, 1]) {
    const body = TEXTS.slice(half * 100, half * 100 + 100).join("\n\n");
    const article = await atTheOffice<{ id: string; slug: string }>(office, "articles", {
      title: text(half + 1),
      body,
    });
    await atTheOffice(office, `articles/${article.id}/publish`, {});
    slugs.push(article.slug);
    undone.push(() => atTheOffice(office, `articles/${article.id}/withdraw`, {}));
  }
  for (const index of [0, 11, 42, 73]) {
    const product = { name: text(index), price: 100 + index, description: text(index + 100, 2000) };
    const { id, version } = await atTheOffice<{ id: string; version: number }>(
      office,
      "products",
      product,
    );
    undone.push(() => atTheOffice(office, `products/${id}`, { version, hidden: true }, "PATCH"));
    await atTheOffice(office, "plans", {
      plan: `${index} ${text(index, 50)}`,
      amount: 1,
      duration: 1,
      period: "month",
      benefits: [text(index + 1, 80).replaceAll(",", " ")],
      hidden: true,
    });
    const question = await atTheOffice<{ id: string }>(office, "questions", {
      slug: `hostile-${index}`,
      kind: "trivia",
      club: "Liverpool",
      topic: "hostile",
      question: `${text(index, 80)}?`,
      right: `a ${text(index + 1, 50)}`,
      wrong_1: `b ${text(index + 2, 50)}`,
      wrong_2: `c ${text(index + 3, 50)}`,
      wrong_3: `d ${text(index + 4, 50)}`,
      explanation: text(index + 3),
      source: text(index + 4),
      difficulty: 1,
    });
    const retire = `questions/${question.id}/retire`;
    undone.push(() => atTheOffice(office, retire, { reason: "It was for a test" }));
  }
  const takeBack = async () => {
    await Promise.all(undone.map((undo) => undo()));
  };
  return { slugs, takeBack };
}

/** Open a screen, wait until it has rendered, and assert that no script has run. */
async function expectHarmless(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await untilDrawn(page);
  const ran = await page.evaluate(() => Reflect.get(window, "ran"));
  expect(ran, address).toBeUndefined();
}
