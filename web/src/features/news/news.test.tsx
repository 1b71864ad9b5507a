import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { serveTheGames } from "@/test/games";
import { openAppAsMember } from "@/test/render";
import { envelope, refusal, serve } from "@/test/server";

beforeEach(serveTheGames);

test("the carousel holds placeholders that say so, without pagination", async () => {
  openAppAsMember("/news");

  const row = await screen.findByRole("region", { name: "The paper to come" });

  const cards = within(row).getAllByRole("article");
  expect(cards).toHaveLength(6);
  for (const card of cards) {
    expect(card).toHaveTextContent("Placeholder");
  }
  expect(screen.getByText(/^There is no news yet/)).toBeInTheDocument();
  expect(screen.queryByRole("button", { name: /carousel/ })).toBeNull();
  expect(screen.getByRole("button", { name: "Previous" })).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Next" })).toBeInTheDocument();
});

test("Today's Headlines are two placeholders whose Read More does nothing", async () => {
  openAppAsMember("/news");

  const headlines = await screen.findByRole("region", { name: "Today's Headlines" });

  for (const button of await within(headlines).findAllByRole("button", {
    name: "Read More",
  })) {
    expect(button).toBeDisabled();
  }
  expect(within(headlines).getAllByRole("listitem")).toHaveLength(2);
});

test("the leader board of the club stands beside them", async () => {
  openAppAsMember("/news");

  const table = await screen.findByRole("table");

  expect(within(table).getByText(/Musa Bello/)).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "View all" })).toHaveAttribute("href", "/leaderboard");
});

function aStory(number: number, change: object = {}) {
  return {
    slug: `story-${number}`,
    title: `Story ${number}`,
    summary: "Gates open at three.",
    picture: null,
    club: null,
    publishedAt: new Date(Date.now() - number * 5 * 3_600_000).toISOString(),
    ...change,
  };
}

test("what was published takes the placeholders' place: the newest six, and today's headlines", async () => {
  serve("get", "/api/v1/news", () =>
    envelope(
      200,
      [1, 2, 3, 4, 5, 6, 7].map((n) => aStory(n)),
    ),
  );
  openAppAsMember("/news");

  const row = await screen.findByRole("region", { name: "Latest news" });
  const headlines = screen.getByRole("region", { name: "Today's Headlines" });

  expect(within(row).getAllByRole("article")).toHaveLength(6);
  expect(within(headlines).getAllByRole("listitem")).toHaveLength(4);
  expect(within(headlines).getByRole("link", { name: "Read More: Story 1" })).toHaveAttribute(
    "href",
    "/news/story-1",
  );
  expect(screen.queryByText("Placeholder")).toBeNull();
});

test("Home shows the newest two, and Read More opens", async () => {
  serve("get", "/api/v1/news", ({ url }) =>
    envelope(200, [1, 2, 3].map((n) => aStory(n)).slice(0, Number(url.searchParams.get("limit")))),
  );
  serve("get", "/api/v1/payment/wallet-balance/:id", () => envelope(200, { balance: 0 }));
  serve("get", "/api/v1/news/story-2", () =>
    envelope(200, aStory(2, { club: "Enyimba", html: "<h2>How to come</h2><p>On foot.</p>" })),
  );
  const { user } = openAppAsMember("/");
  const top = await screen.findByRole("region", { name: "Top News" });
  await within(top).findByText("Story 1");
  expect(within(top).getAllByRole("listitem")).toHaveLength(2);

  await user.click(within(top).getByRole("link", { name: "Read More: Story 2" }));

  const article = await screen.findByRole("article", { name: "Story 2" });
  expect(within(article).getByRole("heading", { name: "How to come" })).toBeInTheDocument();
  expect(article).toHaveTextContent("Enyimba");
});

test("an article that is not out, or no more, is not found", async () => {
  serve("get", "/api/v1/news/gone", () => refusal(404, "not_found", "Nothing is here."));
  openAppAsMember("/news/gone");

  expect(await screen.findByText("Article not found")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Back to the news" })).toHaveAttribute("href", "/news");
});

test.each([
  "<script>window.ran = true</script>",
  "<img src=x onerror='window.ran = true'>",
  "<svg onload='window.ran = true'><script>window.ran = true</script></svg>",
  "<iframe srcdoc='<script>parent.ran = true</script>'></iframe>",
  "<a href='javascript:window.ran = true'>press</a>",
  "<a href=' jAvAsCrIpT:window.ran = true' onclick='window.ran = true'>press</a>",
  "<a href='//evil.example' style='position:fixed'>press</a>",
  "<p onmouseover='window.ran = true' style='position:fixed'>press</p>",
  "<form action='/api/v1/logout'><button>press</button></form>",
  "<math><mtext><table><mglyph><style><img src=x onerror='window.ran = true'>",
])("nothing of an article runs, loads or styles, whatever the server sent: %s", async (html) => {
  serve("get", "/api/v1/news/story-1", () =>
    envelope(200, aStory(1, { title: html, html: `<p>Before</p>${html}<p>After</p>` })),
  );
  const { user } = openAppAsMember("/news/story-1");
  const article = await screen.findByRole("article");

  expect(within(article).getByRole("heading")).toHaveTextContent(/./);
  const hostile = article.querySelectorAll(
    "script, img, iframe, style, form, button, [style], .article-text svg, .article-text [onclick], [onmouseover], [href^='javascript' i], [href^='//']",
  );
  expect(hostile).toHaveLength(0);
  for (const text of within(article).queryAllByText("press")) {
    await user.click(text);
  }
  expect(window).not.toHaveProperty("ran");
  expect(within(article).getByText("Before")).toBeInTheDocument();
});
