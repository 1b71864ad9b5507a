import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { envelope, serve } from "@/test/server";
import { anOperator, openOffice, page } from "~/test/render";

const ID = "0199f2a4-0000-7000-8000-0000000000d1";
const ARTICLES = "/api/v1/admin/articles";
const EDITOR = anOperator({ rights: ["news:write"] });

function anArticle(facts: object = {}) {
  return {
    id: ID,
    slug: "derby",
    title: "Derby",
    summary: "",
    club: null,
    clubId: null,
    picture: null,
    state: "draft",
    publishAt: null,
    version: 1,
    createdAt: "2026-11-20T12:00:00.000Z",
    body: "Gates",
    html: "<p>Gates</p>",
    ...facts,
  };
}

let article = anArticle();

beforeEach(() => {
  article = anArticle();
  serve("get", "/api/v1/clubs", () => envelope(200, []));
  serve("get", `${ARTICLES}/${ID}`, () => envelope(200, article));
  serve("post", `${ARTICLES}/preview`, () => envelope(200, { html: article.html }));
});

test("a new article is a draft, whose screen opens", async () => {
  serve("get", ARTICLES, () => page([]));
  const sent = serve("post", ARTICLES, () => envelope(201, article, "Begun."));
  const { user } = openOffice("/news", EDITOR);

  await user.click(await screen.findByRole("button", { name: "New article" }));
  const dialog = await screen.findByRole("dialog", { name: "New article" });
  await user.type(within(dialog).getByLabelText(/Title/), "Derby");
  await user.click(within(dialog).getByRole("button", { name: "Save" }));

  expect(await screen.findByRole("heading", { name: "Derby" })).toBeInTheDocument();
  expect(sent[0]?.body).toEqual({ title: "Derby" });
});

test("what is typed is shown as the server renders it, and nothing of it can run", async () => {
  article.html =
    "<h2>Bus</h2><script>window.ran = true</script><img src=x onerror='window.ran = true'>" +
    "<a href='javascript:window.ran = true' onclick='window.ran = true'>press</a>";
  const previewed = serve("post", `${ARTICLES}/preview`, () => envelope(200, article));
  const { user } = openOffice(`/news/${ID}`, EDITOR);

  const preview = await screen.findByRole("region", { name: "Preview" });
  await within(preview).findByRole("heading", { name: "Bus" });
  await user.click(within(preview).getByText("press"));

  expect(preview.querySelectorAll("script, img, [onclick], a")).toHaveLength(0);
  expect(window).not.toHaveProperty("ran");

  await user.type(screen.getByLabelText(/^Text/), " <b>x</b>");
  await waitFor(() => expect(previewed.at(-1)?.body).toEqual({ body: "Gates <b>x</b>" }));
});

test("a publication meanwhile is no conflict with what is typed, which goes with the new version", async () => {
  serve("post", `${ARTICLES}/${ID}/publish`, () => {
    article = anArticle({ state: "published", publishAt: "2026-11-21T12:00:00.000Z", version: 2 });
    return envelope(200, article, "It is out.");
  });
  const sent = serve("patch", `${ARTICLES}/${ID}`, () =>
    envelope(200, anArticle({ title: "Derby!", version: 3 }), "Saved."),
  );
  const { user } = openOffice(`/news/${ID}`, EDITOR);
  await user.type(await screen.findByLabelText(/Title/), "!");

  await user.click(screen.getByRole("button", { name: "Publish" }));
  const dialog = await screen.findByRole("dialog", { name: "Publish" });
  await user.click(within(dialog).getByRole("button", { name: "Publish" }));
  expect(await screen.findByRole("button", { name: "Withdraw" })).toBeInTheDocument();
  expect(screen.getByLabelText(/Title/)).toHaveValue("Derby!");
  await user.click(screen.getByRole("button", { name: "Save" }));

  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ title: "Derby!", version: 2 }));
});

test("a scheduled article goes out at once with a moment that is over", async () => {
  article = anArticle({ state: "scheduled", publishAt: "2099-11-21T12:00:00.000Z" });
  const sent = serve("post", `${ARTICLES}/${ID}/publish`, () => envelope(200, article, "Out."));
  const { user } = openOffice(`/news/${ID}`, EDITOR);

  await user.click(await screen.findByRole("button", { name: "Publish" }));
  const dialog = await screen.findByRole("dialog", { name: "Publish" });
  await user.click(within(dialog).getByRole("button", { name: "Publish" }));

  await waitFor(() => expect(sent[0]?.body).toEqual({ publishAt: article.createdAt }));
});
