import { expect, test } from "vitest";
import { linkify } from "@/features/chat/linkify";

const links = (text: string) =>
  linkify(text)
    .filter(({ href }) => href !== null)
    .map(({ href }) => href);

test("the pieces of a text are the text again, links among them", () => {
  const text = "See https://example.com/a?b=1#c, and http://example.org!";

  expect(
    linkify(text)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
  expect(links(text)).toEqual(["https://example.com/a?b=1#c", "http://example.org"]);
});

test.each([
  ["(https://example.com)", "https://example.com"],
  ["https://example.com/Aba_(city)", "https://example.com/Aba_(city)"],
  ["<https://example.com>", "https://example.com"],
  ["*https://example.com*", "https://example.com"],
  ["HTTPS://EXAMPLE.COM/x…", "HTTPS://EXAMPLE.COM/x"],
])("the address in %s ends where it ends", (text, address) => {
  expect(links(text)).toEqual([address]);
});

test.each([
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "https://",
  "https://localhost/x",
  "xhttps://example.com",
  "example.com",
  '<img src=x onerror="alert(1)">',
])("%s stays text", (text) => {
  expect(linkify(text)).toEqual([{ text, href: null }]);
});
